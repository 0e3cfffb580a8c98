import type { AccountId, Environment, IntentAction } from '@quittance/domain'
import {
  type AccountView,
  keyPairFromSeed,
  localSigner,
  payingThreshold,
  type Signer,
  weightOf,
} from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { deploymentTime } from '../../kernel/clock.ts'
import { platform } from '../../kernel/platform.ts'
import { processActor } from '../../kernel/step-context.ts'
import type { Network, ProvisionFailed, Services } from '../../services/services.ts'
import {
  channelKey,
  madeChannelKeys,
  madeOperatorKey,
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
export type AccountSigner = Signer & { readonly account: AccountId }

/**
 * The accounts for which no key of the vault has weight any more, as an older copy of the vault finds them after a rotation.
 * They are remembered, so that their intents take up no room in the next pass.
 */
export type Weightless = Map<AccountId, OwnAccount>

const ownAccount = (vault: Services['vault'], key: string): OwnAccount => ({
  key,
  account: vault.withSeed(key, localSigner).publicKey,
})

/**
 * The channel accounts of an environment: those that an operator has made, and the network's own if it sets accounts up.
 * Not all of them need be on the ledger yet.
 */
export const channelAccounts = (
  { vault }: Vault,
  { provision }: Pick<Network, 'provision'>,
  environment: Environment,
): ReadonlyArray<ChannelAccount> => {
  const own = provision === null ? 0 : ownChannels
  const wanted = Array.from({ length: own }, (_, index) => channelKey(environment, index + 1))
  const keys = new Set([...wanted, ...madeChannelKeys(vault, environment)])
  return [...keys].filter(vault.mayMake).map((key) => ownAccount(vault, key))
}

/**
 * The account that charges on mandates: the one that an operator has made, or the network's own if it sets accounts up.
 * Null if there is none yet. It need not be on the ledger.
 */
export const operatorAccount = (
  { vault }: Vault,
  { provision }: Pick<Network, 'provision'>,
  environment: Environment,
): OwnAccount | null => {
  const key = provision === null ? madeOperatorKey(vault, environment) : operatorKey(environment)
  return key === null || !vault.mayMake(key) ? null : ownAccount(vault, key)
}

/** The account that a merchant's new mandates name: the merchant's own, by the log, or the service's. Null if there is none yet. */
export const operatorOfNew = (
  vault: Vault,
  network: Pick<Network, 'provision'>,
  environment: Environment,
  own: AccountId | null,
): AccountId | null => own ?? operatorAccount(vault, network, environment)?.account ?? null

/** An account of a merchant's own that charges its mandates, if its key was made; it charges new ones once the log says so. */
export const merchantOperator = ({ vault }: Vault, { merchantId, environment }: Scope): OwnAccount | null => {
  const key = madeKey(vault, merchantOperatorKey(environment, merchantId))
  return key === null ? null : ownAccount(vault, key)
}

/** The account to be paid at that was made for a merchant, if its key was. The merchant may be paid at its own account since. */
export const madeSettlement = ({ vault }: Vault, { merchantId, environment }: Scope): OwnAccount | null => {
  const key = madeKey(vault, settlementKey(environment, merchantId))
  return key === null ? null : ownAccount(vault, key)
}

/** All accounts that charge on mandates, the service's and those of merchants. */
export const operatorAccounts = (
  { vault }: Vault,
  network: Pick<Network, 'provision'>,
  environment: Environment,
): ReadonlyArray<OwnAccount> => {
  const service = operatorAccount({ vault }, network, environment)
  const ofMerchants = madeOperatorKeys(vault, environment).filter((key) => key !== operatorKey(environment))
  return [...(service === null ? [] : [service]), ...ofMerchants.map((key) => ownAccount(vault, key))]
}

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
  vault.signings.add({
    at: deploymentTime(clock),
    key,
    account,
    purpose: 'provision',
    digest: null,
    actor: processActor,
  })
  const provisioned = await provision(vault.withSeed(key, keyPairFromSeed).secret)()
  return E.isLeft(provisioned) ? provisioned : E.right(true)
}

const madeKey = (vault: Services['vault'], wanted: string): string | null =>
  vault.keysNamed(wanted).includes(wanted) ? wanted : null

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
export const ownAccountAt = (
  { vault }: Vault,
  { merchantId, environment }: Scope,
  channels: ReadonlyArray<ChannelAccount>,
  account: AccountId,
  purpose: SigningPurpose,
): OwnAccount | null => {
  const isPlatform = merchantId === platform
  const channel = channels.find((each) => each.account === account)
  if (channel !== undefined) return isPlatform || purpose === 'fee' ? channel : null
  // A call that charges for many merchants is the platform's, also where the account is one merchant's own.
  const keys = isPlatform
    ? madeOperatorKeys(vault, environment)
    : [
        settlementKey(environment, merchantId),
        sharedOperatorServes.has(purpose) ? madeOperatorKey(vault, environment) : null,
        madeKey(vault, merchantOperatorKey(environment, merchantId)),
      ]
  for (const key of keys) {
    const own = key === null || !vault.mayMake(key) ? null : ownAccount(vault, key)
    if (own?.account === account) return own
  }
  return null
}

/**
 * The key of the vault that has an account's weight by the ledger, the newest one first; null if none has. An account that
 * the ledger does not hold yet (`view` null) has the weight of the key that names it.
 */
export const signerOf = (
  { vault, clock }: Keys,
  environment: Environment,
  { key, account }: OwnAccount,
  view: Pick<AccountView, 'authority'> | null,
): AccountSigner | null => {
  const keys = view === null ? [] : madeRotatedKeys(vault, environment, account).toReversed()
  for (const name of [...keys, key]) {
    const signer = vaultSigner(vault, clock, name, processActor, account)
    if (view === null || hasWeight(view, signer.publicKey)) return { ...signer, account }
  }
  return null
}

/** Whether a key alone may use an account's sequence numbers and its money. */
export const hasWeight = ({ authority }: Pick<AccountView, 'authority'>, wanted: AccountId): boolean =>
  weightOf(authority, wanted) >= payingThreshold(authority)
