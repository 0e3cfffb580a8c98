import {
  type AccountId,
  asText,
  type Environment,
  endOf,
  type LedgerSequence,
  type Stroops,
  stroops,
  type Text,
  type TransactionHash,
} from '@quittance/domain'
import {
  type AccountView,
  BASE_RESERVE,
  heaviestThreshold,
  type LedgerUnreachable,
  localSigner,
} from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import {
  knownKeysOf,
  laterKeysOf,
  type Rotation,
  recordRotation,
  rotationDetails,
  rotationsOf,
  rotationUnderWay,
} from '../features/outgoing/rotations.ts'
import { channelAccounts, type OwnAccount, operatorAccount, signerOf } from '../features/outgoing/signing-accounts.ts'
import type { SettlementAccountIsOwn } from '../features/payouts/request.ts'
import type { ExecuteFailure } from '../kernel/execute.ts'
import { platform } from '../kernel/platform.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../services/services.ts'
import type { MerchantNotReady } from '../services/settlements.ts'
import { rotatedKey, settlementKey } from '../stores/vault/vault-signer.ts'
import type { KeyLacking } from './lacking-keys.ts'

/** The accounts of the service whose keys a person rotates. */
export type KeyHolder =
  | { readonly _tag: 'settlement'; readonly merchantId: string }
  | { readonly _tag: 'operator' }
  | { readonly _tag: 'channels' }

/** A key that the ledger lists for an account, or that the service has for it (then perhaps without weight). */
export type WeighedKey = { readonly key: string; readonly weight: number; readonly isOurs: boolean }

/**
 * The keys of an account, as the ledger says as of `asOf`. `signs`: the key of the vault that has weight; null if none has.
 * `isProven`: the newest rotation has ended in a ledger, and of all keys only its new one has weight.
 */
export type AccountKeys = {
  readonly account: AccountId
  readonly asOf: LedgerSequence | null
  readonly keys: ReadonlyArray<WeighedKey>
  readonly needed: number
  readonly signs: AccountId | null
  readonly rotation: RotationStanding | null
  readonly isProven: boolean
}

export type RotationStanding = {
  readonly to: AccountId
  readonly status: 'waiting' | 'sent' | 'done' | 'failed'
  readonly transactionHash: TransactionHash | null
  readonly ledger: LedgerSequence | null
  readonly code: Text | null
}

export type RotateFailure =
  | ExecuteFailure
  | LedgerUnreachable
  | NetworkNotConfigured
  | MerchantNotReady
  | SettlementAccountIsOwn
  | KeyLacking
  /** No such account was made. */
  | { readonly _tag: 'AccountNotCreated' }
  | { readonly _tag: 'AccountNotOnLedger'; readonly account: AccountId }
  /** The vault has no key that has the account's weight, as an older copy after a rotation. */
  | { readonly _tag: 'KeyWithoutWeight'; readonly account: AccountId }
  /** The account, or its sponsor, lacks lumens for the reserve of the new signer and the fee. */
  | { readonly _tag: 'RotationUnaffordable'; readonly account: AccountId; readonly missing: Stroops }

/** Accounts stay, and their keys rotate: address, mandates and history do not change. */
export interface AccountKeyring {
  readonly show: (environment: Environment, of: KeyHolder) => TE.TaskEither<RotateFailure, ReadonlyArray<AccountKeys>>
  /** Makes the next key of each account in the vault, so that it can be backed up first. Repeated, it makes none. */
  readonly prepare: (
    environment: Environment,
    of: KeyHolder,
  ) => TE.TaskEither<RotateFailure, ReadonlyArray<{ readonly account: AccountId; readonly to: AccountId }>>
  /**
   * Begins to rotate the key of each account, or joins the rotation that is under way. The key is in the vault before anything
   * else happens; the worker puts it on the ledger, in one transaction that takes the weight of all earlier keys of ours.
   */
  readonly rotate: (environment: Environment, of: KeyHolder) => TE.TaskEither<RotateFailure, ReadonlyArray<AccountKeys>>
}

type KeyringServices = Pick<
  Services,
  'store' | 'vault' | 'clock' | 'networks' | 'readModels' | 'settlementOf' | 'caughtUp'
>

export const accountKeyring = (services: KeyringServices): AccountKeyring => ({
  show: (environment, of) => async () => {
    const held = await heldBy(services, environment, of)
    return E.isLeft(held) ? held : shown(services, environment, held.right)
  },
  prepare: (environment, of) => async () => {
    const held = await heldBy(services, environment, of)
    if (E.isLeft(held)) return held
    const made = []
    for (const { own } of held.right.accounts) {
      const to = nextKey(services, environment, own.account)
      if (E.isLeft(to)) return to
      made.push({ account: own.account, to: to.right })
    }
    return E.right(made)
  },
  rotate: (environment, of) => async () => {
    const held = await heldBy(services, environment, of)
    if (E.isLeft(held)) return held
    for (const each of held.right.accounts) {
      const begun = await begin(services, held.right.network, each)
      if (E.isLeft(begun)) return begun
    }
    const caught = await services.caughtUp.withLog()
    return E.isLeft(caught) ? caught : shown(services, environment, held.right)
  },
})

type Held = { readonly scope: Scope; readonly own: OwnAccount; readonly sponsor: OwnAccount | null }
type AllHeld = { readonly network: Network; readonly accounts: ReadonlyArray<Held> }

/** The accounts that are meant, each with the merchant or the platform that it belongs to and the sponsor of its reserves. */
const heldBy = async (
  services: KeyringServices,
  environment: Environment,
  of: KeyHolder,
): Promise<E.Either<RotateFailure, AllHeld>> => {
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const ofPlatform = (owned: ReadonlyArray<OwnAccount>): E.Either<RotateFailure, AllHeld> => {
    const accounts = owned.map((own) => ({ scope: { merchantId: platform, environment }, own, sponsor: null }))
    return accounts.length === 0 ? E.left({ _tag: 'AccountNotCreated' }) : E.right({ network: network.right, accounts })
  }
  const operator = operatorAccount(services, network.right, environment)
  switch (of._tag) {
    case 'operator':
      return ofPlatform(operator === null ? [] : [operator])
    case 'channels':
      return ofPlatform(channelAccounts(services, network.right, environment))
    case 'settlement': {
      const { merchantId } = of
      const settlement = await services.settlementOf(merchantId, environment)()
      if (E.isLeft(settlement)) return settlement
      const { account, custody, isSponsored } = settlement.right
      if (custody === 'merchant') return E.left({ _tag: 'SettlementAccountIsOwn' })
      const own = { key: settlementKey(environment, merchantId), account }
      const held = { scope: { merchantId, environment }, own, sponsor: isSponsored ? operator : null }
      return E.right({ network: network.right, accounts: [held] })
    }
  }
}

/** The newest key of the vault that no rotation names yet; made if there is none. */
const nextKey = (
  { vault, readModels }: KeyringServices,
  environment: Environment,
  account: AccountId,
): E.Either<KeyLacking, AccountId> => {
  const recorded = rotationsOf(readModels, environment, account).map(({ action }) => action.to)
  const made = laterKeysOf(vault, environment, account)
  const unused = made.find((key) => !recorded.includes(key))
  if (unused !== undefined) return E.right(unused)
  const key = rotatedKey(environment, account, made.length + 1)
  return vault.mayMake(key) ? E.right(vault.withSeed(key, localSigner).publicKey) : E.left({ _tag: 'KeyLacking', key })
}

/** What a rotation costs at most at first, beside the reserve of a new signer. */
const feeOfRotation = 10_000n

const begin = async (
  services: KeyringServices,
  { gateway }: Network,
  { scope, own, sponsor }: Held,
): Promise<E.Either<RotateFailure, void>> => {
  const { environment } = scope
  const { account } = own
  if (rotationUnderWay(services.readModels, environment, account) !== null) return E.right(undefined)
  const view = await gateway.accountView(account, [])()
  if (E.isLeft(view)) return view
  if (view.right === null) return E.left({ _tag: 'AccountNotOnLedger', account })
  const signer = signerOf(services, environment, own, view.right)
  if (signer === null) return E.left({ _tag: 'KeyWithoutWeight', account })
  const payer = sponsor === null ? view : await gateway.accountView(sponsor.account, [])()
  if (E.isLeft(payer)) return payer
  // A later key is a signer entry, which the new one replaces.
  const reserve = signer.publicKey === account ? BASE_RESERVE : 0n
  const missing = reserve + feeOfRotation - (payer.right?.nativeSpendable ?? 0n)
  if (missing > 0n)
    return E.left({ _tag: 'RotationUnaffordable', account: sponsor?.account ?? account, missing: stroops(missing) })
  const to = nextKey(services, environment, account)
  if (E.isLeft(to)) return to
  const details = rotationDetails(account, to.right, sponsor?.account ?? null)
  const recorded = await recordRotation(services, scope, {
    details,
    to: to.right,
    at: services.clock.now(environment),
  })
  return E.isLeft(recorded) ? recorded : E.right(undefined)
}

const shown = async (
  services: KeyringServices,
  environment: Environment,
  { network, accounts }: AllHeld,
): Promise<E.Either<RotateFailure, ReadonlyArray<AccountKeys>>> => {
  const all: Array<AccountKeys> = []
  for (const { own } of accounts) {
    const view = await network.gateway.accountView(own.account, [])()
    if (E.isLeft(view)) return view
    all.push(keysOf(services, environment, own, view.right))
  }
  return E.right(all)
}

const keysOf = (
  services: KeyringServices,
  environment: Environment,
  own: OwnAccount,
  view: AccountView | null,
): AccountKeys => {
  const { account } = own
  const known: ReadonlyArray<string> = knownKeysOf(services, environment, account)
  const listed = view?.authority.signers ?? []
  const unlisted = known.filter((key) => !listed.some((each) => each.key === key))
  const weighed = [...listed, ...unlisted.map((key) => ({ key, weight: 0 }))]
  const keys = weighed.map((each) => ({ ...each, isOurs: known.includes(each.key) }))
  const needed = view === null ? 1 : heaviestThreshold(view.authority)
  const newest = rotationsOf(services.readModels, environment, account).at(-1)
  const rotation = newest === undefined ? null : standingOf(newest)
  const isAlone = keys.every(({ key, weight }) => (key === rotation?.to ? weight >= needed : weight === 0))
  const signer = view === null ? null : signerOf(services, environment, own, view)
  return {
    account,
    asOf: view?.asOf ?? null,
    keys,
    needed,
    signs: signer?.publicKey ?? null,
    rotation,
    isProven: rotation?.status === 'done' && isAlone,
  }
}

const standingOf = ({ row, action: { to } }: Rotation): RotationStanding => {
  const end = endOf(row)
  const none = { to, transactionHash: row.attachedTo, ledger: null, code: null }
  switch (end?._tag) {
    case undefined:
      return { ...none, status: row.status === 'waiting' ? 'waiting' : 'sent' }
    case 'settled':
      return { ...none, status: 'done', transactionHash: end.transactionHash, ledger: end.ledger }
    case 'refused':
      return { ...none, status: 'failed', transactionHash: end.transactionHash, ledger: end.ledger, code: end.code }
    case 'given_up':
      return { ...none, status: 'failed', code: asText(end.reason) }
  }
}
