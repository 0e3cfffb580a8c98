import { createHash } from 'node:crypto'
import type { AccountId, Environment } from '@quittance/domain'
import { whenUnlocked } from '@quittance/event-store/sqlite'
import type { SignerUnavailable, SigningKey, SigningPurpose } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type Clock, deploymentTime } from '../../kernel/clock.ts'
import type { Vault } from './port.ts'

/** The key of a merchant's settlement account; each environment has its own. */
export const settlementKey = (environment: Environment, merchantId: string): string =>
  `settlement/${environment}/${merchantId}`

export const channelKeys = (environment: Environment): string => `channel/${environment}/`

/** The key of an account whose sequence numbers the service's own transactions take; accounts are counted from 1. */
export const channelKey = (environment: Environment, number: number): string =>
  `${channelKeys(environment)}${String(number).padStart(4, '0')}`

export const madeChannelKeys = (vault: Vault, environment: Environment): Promise<ReadonlyArray<string>> =>
  vault.keysNamed(channelKeys(environment))

/** The key of the account that charges on an environment's mandates, which name it for ever. */
export const operatorKey = (environment: Environment): string => `operator/${environment}`

/** The operator's key, if it was made; else null. */
export const madeOperatorKey = async (vault: Vault, environment: Environment): Promise<string | null> =>
  (await vault.keysNamed(operatorKey(environment))).find((key) => key === operatorKey(environment)) ?? null

/** The key of an account of a merchant's own that charges on its mandates. */
export const merchantOperatorKey = (environment: Environment, merchantId: string): string =>
  `${operatorKey(environment)}/${merchantId}`

/** The keys of all accounts that charge on mandates: the service's and those of merchants. */
export const madeOperatorKeys = (
  vault: Pick<Vault, 'keysNamed'>,
  environment: Environment,
): Promise<ReadonlyArray<string>> => vault.keysNamed(operatorKey(environment))

/** The beginning of the names of an account's later keys. */
export const rotatedKeys = (environment: Environment, account: AccountId): string =>
  `rotated/${environment}/${account}/`

/** A later key of an account that another key names; counted from 1. */
export const rotatedKey = (environment: Environment, account: AccountId, number: number): string =>
  `${rotatedKeys(environment, account)}${String(number).padStart(4, '0')}`

/** The name of a later key that no vault has yet, since each name has a higher number than all before it. */
export const unmadeRotatedKey = async (
  vault: Pick<Vault, 'keysNamed'>,
  environment: Environment,
  account: AccountId,
): Promise<string> =>
  rotatedKey(environment, account, (await highestNumber(vault, rotatedKeys(environment, account))) + 1)

/** As `unmadeRotatedKey`, for a key that the recovery key gives an account. */
export const unmadeRecoveredKey = async (
  vault: Pick<Vault, 'keysNamed'>,
  environment: Environment,
  account: AccountId,
): Promise<string> =>
  recoveredKey(environment, account, (await highestNumber(vault, recoveredKeys(environment, account))) + 1)

const highestNumber = async (vault: Pick<Vault, 'keysNamed'>, beginning: string): Promise<number> => {
  const numbers = (await vault.keysNamed(beginning)).map((name) => Number(name.slice(beginning.length)))
  return Math.max(0, ...numbers.filter(Number.isSafeInteger))
}

/**
 * A later key of an account that the recovery key gives it; counted from 1. It has a name of its own, since none is made under
 * the name of a key that the vault has lost.
 */
export const recoveredKey = (environment: Environment, account: AccountId, number: number): string =>
  `${recoveredKeys(environment, account)}${String(number).padStart(4, '0')}`

export const recoveredKeys = (environment: Environment, account: AccountId): string =>
  `recovered/${environment}/${account}/`

/** The keys of an account in the vault that the recovery key has given it, or may, the oldest first. */
export const madeRecoveredKeys = (
  vault: Pick<Vault, 'keysNamed'>,
  environment: Environment,
  account: AccountId,
): Promise<ReadonlyArray<string>> => vault.keysNamed(recoveredKeys(environment, account))

/** The later keys of an account in the vault, the oldest first of each kind. */
export const madeRotatedKeys = async (
  vault: Pick<Vault, 'keysNamed'>,
  environment: Environment,
  account: AccountId,
): Promise<ReadonlyArray<string>> => [
  ...(await vault.keysNamed(rotatedKeys(environment, account))),
  ...(await madeRecoveredKeys(vault, environment, account)),
]

/** The service's one key for payment requests, which its domain publishes. */
export const requestKey = 'payment-requests'

/** The service's key for wallet proofs, which its domain publishes too. */
export const proofKey = (environment: Environment): string => `wallet-proofs/${environment}`

const digestOf = (bytes: Uint8Array, purpose: SigningPurpose): string =>
  purpose._tag === 'transaction' ? purpose.transactionHash : createHash('sha256').update(bytes).digest('hex')

/** Throws unless these are the bytes that a signature of this purpose is made of. */
const ensureMeant = (bytes: Uint8Array, purpose: SigningPurpose): void => {
  if (purpose._tag === 'transaction' && Buffer.from(bytes).toString('hex') !== purpose.transactionHash)
    throw new Error(`the bytes to sign are not the hash of ${purpose.transactionHash}`)
  // What has the length of a transaction's hash might be one.
  if (purpose._tag === 'uri' && bytes.length <= hashBytes) throw new Error('the bytes to sign are no payment request')
}

const hashBytes = 32

/**
 * A key that the vault knows, to sign with for an actor; null if there is none of this name. Each use is recorded before it is
 * made, so that every signature has a record, wherever the process dies. A later key of an account signs for that `account`; any
 * other key for the account that it names.
 */
export const vaultSigner = async (
  vault: SigningVault,
  clock: Clock,
  key: string,
  actor: string,
  of?: AccountId,
): Promise<SigningKey | null> => {
  const publicKey = await vault.publicKey(key)
  if (publicKey === null) return null
  const account = of ?? publicKey
  return {
    publicKey,
    sign: (bytes, purpose) => async () => {
      ensureMeant(bytes, purpose)
      const digest = digestOf(bytes, purpose)
      const record = { at: deploymentTime(clock), key, account, purpose: purpose._tag, digest, actor }
      try {
        await whenUnlocked(() => vault.signings.add(record))
      } catch (cause) {
        return E.left({ _tag: 'SignerUnavailable', cause: String(cause) })
      }
      return vault.sign({ account, signer: publicKey, key, bytes, purpose })()
    },
  }
}

type SigningVault = Pick<Vault, 'publicKey' | 'sign' | 'signings'>

/** As `vaultSigner`, for a key that is made at its first use. */
export const madeSigner = async (
  vault: SigningVault & Pick<Vault, 'createKey'>,
  clock: Clock,
  key: string,
  actor: string,
): Promise<E.Either<SignerUnavailable, SigningKey>> => {
  const made = await vault.createKey(key)()
  if (E.isLeft(made)) return made
  const unknown = { _tag: 'SignerUnavailable' as const, cause: `the key ${key} is not known after it was made` }
  return E.fromNullable(unknown)(await vaultSigner(vault, clock, key, actor))
}
