import type { AccountId, Environment, IntentAction } from '@quittance/domain'
import { type AccountView, payingThreshold, type SigningKey, weightOf } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { deploymentTime } from '../../kernel/clock.ts'
import { platform } from '../../kernel/platform.ts'
import { processActor } from '../../kernel/step-context.ts'
import type { Network, ProvisionFailed, Services } from '../../services/services.ts'
import { provisioned } from '../../stores/vault/provision.ts'
import {
  channelKey,
  madeChannelKeys,
  madeOperatorKeys,
  madeRotatedKeys,
  merchantOperatorKey,
  operatorKey,
  settlementKey,
  vaultSigner,
} from '../../stores/vault/vault-signer.ts'

/** How many channel accounts there are where the network sets accounts up by itself. */
const ownChannels = 2

type Keys = Pick<Services, 'vault' | 'clock'>
type Vault = Pick<Services, 'vault'>

/** An account of the service, and the name of the vault key that names it. Other keys may sign for it since. */
export type OwnAccount = { readonly key: string; readonly account: AccountId }

/** An account whose sequence numbers transactions take. */
export type ChannelAccount = OwnAccount

/** A key that signs for an account. */
export type AccountSigner = SigningKey & { readonly account: AccountId }

/**
 * The accounts for which no key of the vault has weight any more, as an older copy of the vault finds them after a rotation.
 * They are remembered, so that their intents take up no room in the next pass.
 */
export type Weightless = Map<AccountId, OwnAccount>

const ownAccount = async (vault: Services['vault'], key: string): Promise<OwnAccount | null> => {
  const account = await vault.publicKey(key)
  return account === null ? null : { key, account }
}

/**
 * Makes the keys of the service's own accounts where the network sets accounts up by itself: those of its channels and of the
 * account that charges on mandates. Elsewhere an operator makes them. Repeated, it makes none. Throws where the vault, which keeps
 * the keys of such a network, cannot be written.
 */
export const makeOwnKeys = async (
  { vault }: Vault,
  { provision }: Pick<Network, 'provision'>,
  environment: Environment,
): Promise<void> => {
  const channels = Array.from({ length: ownChannels }, (_, index) => channelKey(environment, index + 1))
  for (const key of provision === null ? [] : [operatorKey(environment), ...channels]) {
    if (!(await vault.mayMake(key)) || (await vault.publicKey(key)) !== null) continue
    const made = await vault.createKey(key)()
    if (E.isLeft(made)) throw new Error(made.left.cause)
  }
}

/** The channel accounts of an environment whose keys were made. Not all of them need be on the ledger yet. */
export const channelAccounts = async (
  { vault }: Vault,
  environment: Environment,
): Promise<ReadonlyArray<ChannelAccount>> =>
  (
    await Promise.all(
      (await madeChannelKeys(vault, environment)).map(async (key) => (await ownAccount(vault, key)) ?? []),
    )
  ).flat()

/** The account that charges on mandates. Null while its key was not made. It need not be on the ledger. */
export const operatorAccount = ({ vault }: Vault, environment: Environment): Promise<OwnAccount | null> =>
  ownAccount(vault, operatorKey(environment))

/** The account that a merchant's new mandates name: the merchant's own, by the log, or the service's. Null if there is none yet. */
export const operatorOfNew = async (
  vault: Vault,
  environment: Environment,
  own: AccountId | null,
): Promise<AccountId | null> => own ?? (await operatorAccount(vault, environment))?.account ?? null

/** An account of a merchant's own that charges its mandates, if its key was made; it charges new ones once the log says so. */
export const merchantOperator = ({ vault }: Vault, { merchantId, environment }: Scope): Promise<OwnAccount | null> =>
  ownAccount(vault, merchantOperatorKey(environment, merchantId))

/** The account to be paid at that was made for a merchant, if its key was. The merchant may be paid at its own account since. */
export const madeSettlement = ({ vault }: Vault, { merchantId, environment }: Scope): Promise<OwnAccount | null> =>
  ownAccount(vault, settlementKey(environment, merchantId))

/** All accounts that charge on mandates, the service's and those of merchants. */
export const operatorAccounts = async (
  { vault }: Vault,
  environment: Environment,
): Promise<ReadonlyArray<OwnAccount>> =>
  (
    await Promise.all(
      (await madeOperatorKeys(vault, environment)).map(async (key) => (await ownAccount(vault, key)) ?? []),
    )
  ).flat()

/** Has the network, or its friendbot, set up an account of the service; false where an operator has to fund it. */
export const setUpAccount = async (
  { vault, clock }: Keys,
  { provision, friendbot }: Network,
  { key, account }: OwnAccount,
): Promise<E.Either<ProvisionFailed, boolean>> => {
  if (provision === null) {
    if (friendbot === null) return E.right(false)
    const given = await friendbot(account)()
    return E.isLeft(given) ? E.left({ _tag: 'ProvisionFailed', reason: given.left.reason }) : E.right(true)
  }
  const at = deploymentTime(clock)
  return E.map(() => true)(await provisioned(vault, provision, { at, key, account, actor: processActor }))
}

/** What an account is to sign: an intent with itself as source, the reserves or the creation beside one, or a fee. */
export type SigningPurpose = IntentAction['_tag'] | 'cosigning' | 'fee'

/** What the charging account that merchants share signs for a merchant. It pays nobody, and its signers stay. */
const sharedOperatorServes: ReadonlySet<SigningPurpose> = new Set([
  'charge',
  'mandate_cancellation',
  'create_account',
  'cosigning',
  'fee',
])

/**
 * An account that may sign this for a merchant: the merchant's own, or one that merchants share, as far as it serves them; else
 * null. An intent of a merchant may name any account as its source: the log may have been written by others.
 */
export const ownAccountAt = async (
  { vault }: Vault,
  { merchantId, environment }: Scope,
  channels: ReadonlyArray<ChannelAccount>,
  account: AccountId,
  purpose: SigningPurpose,
): Promise<OwnAccount | null> => {
  const isPlatform = merchantId === platform
  const channel = channels.find((each) => each.account === account)
  if (channel !== undefined) return isPlatform || purpose === 'fee' ? channel : null
  // A call that charges for many merchants is the platform's, also where the account is one merchant's own.
  const keys = isPlatform
    ? await madeOperatorKeys(vault, environment)
    : [
        settlementKey(environment, merchantId),
        ...(sharedOperatorServes.has(purpose) ? [operatorKey(environment)] : []),
        merchantOperatorKey(environment, merchantId),
      ]
  return (await Promise.all(keys.map((key) => ownAccount(vault, key)))).find((own) => own?.account === account) ?? null
}

/**
 * The key of the vault that has an account's weight by the ledger, the newest one first; null if none has. An account that
 * the ledger does not hold yet (`view` null) has the weight of the key that names it.
 */
export const signerOf = async (
  { vault, clock }: Keys,
  environment: Environment,
  { key, account }: OwnAccount,
  view: Pick<AccountView, 'authority'> | null,
): Promise<AccountSigner | null> => {
  const keys = view === null ? [] : (await madeRotatedKeys(vault, environment, account)).toReversed()
  for (const name of [...keys, key]) {
    const signer = await vaultSigner(vault, clock, name, processActor, account)
    if (signer !== null && (view === null || hasWeight(view, signer.publicKey))) return { ...signer, account }
  }
  return null
}

/** Whether a key alone may use an account's sequence numbers and its money. */
export const hasWeight = ({ authority }: Pick<AccountView, 'authority'>, wanted: AccountId): boolean =>
  weightOf(authority, wanted) >= payingThreshold(authority)
