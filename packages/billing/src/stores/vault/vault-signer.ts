import { createHash } from 'node:crypto'
import type { Environment } from '@quittance/domain'
import { localSigner, type Signer, type SignerUnavailable, type SigningPurpose } from '@quittance/ledger'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../../kernel/clock.ts'
import type { Vault } from './port.ts'

/** The key of the account that a merchant is paid to; never one for two environments. */
export const settlementKey = (environment: Environment, merchantId: string): string =>
  `settlement/${environment}/${merchantId}`

const channelKeys = (environment: Environment): string => `channel/${environment}/`

/** The key of an account whose sequence numbers the service's own transactions take; accounts are counted from 1. */
export const channelKey = (environment: Environment, number: number): string =>
  `${channelKeys(environment)}${String(number).padStart(4, '0')}`

/** The keys of all such accounts that were made so far. */
export const madeChannelKeys = (vault: Vault, environment: Environment): ReadonlyArray<string> =>
  vault.keysNamed(channelKeys(environment))

/** The key of the account that charges on the mandates of an environment: they name it for ever. */
export const operatorKey = (environment: Environment): string => `operator/${environment}`

/** That key, where it was made; null where it was not. */
export const madeOperatorKey = (vault: Vault, environment: Environment): string | null =>
  vault.keysNamed(operatorKey(environment)).find((key) => key === operatorKey(environment)) ?? null

/** The key of the service itself for payment requests, which its domain publishes: one, as a domain has one. */
export const requestKey = 'payment-requests'

/** The key of the service itself for wallet proofs, which its domain publishes too. */
export const proofKey = (environment: Environment): string => `wallet-proofs/${environment}`

const digestOf = (bytes: Uint8Array, purpose: SigningPurpose): string =>
  purpose._tag === 'transaction' ? purpose.transactionHash : createHash('sha256').update(bytes).digest('hex')

/**
 * Signs with a key of the vault for an actor. Each use is written down before it is made, so that no signature is in the
 * world that no record tells of, wherever the process dies. The seed is unsealed for that one signature alone.
 */
export const vaultSigner = (vault: Vault, clock: Clock, key: string, actor: string): Signer => {
  const { publicKey } = vault.withSeed(key, localSigner)
  return {
    publicKey,
    sign: (bytes, purpose) =>
      pipe(
        TE.tryCatch(
          async () => {
            const digest = digestOf(bytes, purpose)
            vault.signings.add({ at: clock.now(), key, account: publicKey, purpose: purpose._tag, digest, actor })
            return vault.withSeed(key, localSigner)
          },
          (cause): SignerUnavailable => ({ _tag: 'SignerUnavailable', cause: String(cause) }),
        ),
        TE.chain((signer) => signer.sign(bytes, purpose)),
      ),
  }
}
