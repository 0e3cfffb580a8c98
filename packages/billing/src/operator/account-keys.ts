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
  keepsSigners,
  type LedgerUnreachable,
  payingThreshold,
  type SignerUnavailable,
  weightOf,
} from '@quittance/ledger'
import type { IntentRow, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { recoverySigningsOf } from '../features/outgoing/recovery-signers.ts'
import {
  knownKeysOf,
  type Rotation,
  recordRotation,
  rotationDetails,
  rotationsOf,
  rotationUnderWay,
} from '../features/outgoing/rotations.ts'
import {
  channelAccounts,
  madeSettlement,
  makeOwnKeys,
  merchantOperator,
  type OwnAccount,
  operatorAccount,
  signerOf,
} from '../features/outgoing/signing-accounts.ts'
import type { SettlementAccountIsOwn } from '../features/payouts/request.ts'
import { findInTurn } from '../kernel/checks-in-turn.ts'
import type { ExecuteFailure } from '../kernel/execute.ts'
import { platform } from '../kernel/platform.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../services/services.ts'
import type { MerchantNotReady } from '../services/settlements.ts'
import { rotatedKeys, settlementKey, unmadeRotatedKey } from '../stores/vault/vault-signer.ts'
import type { KeyLacking } from './lacking-keys.ts'

/** The accounts of the service whose keys a person rotates. */
export type KeyHolder =
  | { readonly _tag: 'settlement'; readonly merchantId: string }
  /** The service's, or the one of a merchant's own. */
  | { readonly _tag: 'operator'; readonly merchantId?: string }
  | { readonly _tag: 'channels' }

/** A key that the ledger lists for an account, or that the service has for it (then perhaps without weight). */
export type WeighedKey = { readonly key: string; readonly weight: number; readonly isOurs: boolean }

/**
 * The keys of an account, as the ledger says as of `asOf`. `signs`: the key of the vault that has weight; null if none has.
 * `isProven`: the newest rotation has ended in a ledger, and of all keys only its new one and the recovery signer have weight.
 */
export type AccountKeys = {
  readonly account: AccountId
  readonly asOf: LedgerSequence | null
  readonly keys: ReadonlyArray<WeighedKey>
  readonly needed: number
  readonly signs: AccountId | null
  readonly rotation: RotationStanding | null
  readonly recovery: RecoveryStanding | null
  readonly isProven: boolean
}

/**
 * The recovery signer that was wanted last. `keepsSigners`: it alone may change signers, as the ledger says; without, the
 * service's key may, and remove it.
 */
export type RecoveryStanding = {
  readonly signer: AccountId
  readonly status: RotationStanding['status']
  readonly weight: number
  readonly keepsSigners: boolean
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
  | SignerUnavailable
  | NetworkNotConfigured
  | MerchantNotReady
  | SettlementAccountIsOwn
  | KeyLacking
  /** No such account was made. */
  | { readonly _tag: 'AccountNotCreated' }
  | { readonly _tag: 'AccountNotOnLedger'; readonly account: AccountId }
  /** The vault has no key that has the account's weight, as an older copy after a rotation. */
  | { readonly _tag: 'KeyWithoutWeight'; readonly account: AccountId }
  /** Only the recovery signer may change the signers of the account. */
  | { readonly _tag: 'RecoveryKeyNeeded'; readonly account: AccountId }
  /** A fresh key was wanted, and another rotation of the account has not ended. */
  | { readonly _tag: 'RotationUnderWay'; readonly account: AccountId; readonly to: AccountId }
  /** The account, or its sponsor, lacks lumens for the reserve of the new signer and the fee. */
  | { readonly _tag: 'RotationUnaffordable'; readonly account: AccountId; readonly missing: Stroops }

/**
 * Which key an account gets. `prepared`: one that was made beforehand, if there is one. `fresh`: one that is made now, so that
 * no copy of the vault has it.
 */
export type WantedKey = 'prepared' | 'fresh'

/** Accounts stay, and their keys rotate: address, mandates and history do not change. */
export interface AccountKeyring {
  readonly show: (environment: Environment, of: KeyHolder) => TE.TaskEither<RotateFailure, ReadonlyArray<AccountKeys>>
  /**
   * Makes the next key of each account in the vault, so that it can be backed up first. Repeated, it makes none. Whoever has a
   * copy of the vault from then on has that key, also after `rotate`: it fences nobody.
   */
  readonly prepare: (
    environment: Environment,
    of: KeyHolder,
  ) => TE.TaskEither<RotateFailure, ReadonlyArray<{ readonly account: AccountId; readonly to: AccountId }>>
  /**
   * Begins to rotate the key of each account, or joins the rotation that is under way. The key is in the vault before anything
   * else happens; the worker puts it on the ledger, in one transaction that takes the weight of all earlier keys of ours. With a
   * `fresh` key it joins nothing.
   */
  readonly rotate: (
    environment: Environment,
    of: KeyHolder,
    wanted?: WantedKey,
  ) => TE.TaskEither<RotateFailure, ReadonlyArray<AccountKeys>>
}

export type KeyringServices = Pick<
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
      const view = await held.right.network.gateway.accountView(own.account, [])()
      if (E.isLeft(view)) return view
      const to = await nextKey(services, environment, own.account, view.right)
      if (E.isLeft(to)) return to
      made.push({ account: own.account, to: to.right })
    }
    return E.right(made)
  },
  rotate:
    (environment, of, wanted = 'prepared') =>
    async () => {
      const held = await heldBy(services, environment, of)
      if (E.isLeft(held)) return held
      const present = await onLedger(held.right)
      if (E.isLeft(present)) return present
      for (const { own } of wanted === 'fresh' ? present.right : []) {
        const underWay = await rotationUnderWay(services.readModels, environment, own.account)
        if (underWay !== null) return E.left({ _tag: 'RotationUnderWay', account: own.account, to: underWay.action.to })
      }
      return rotateAll(services, environment, { ...held.right, present: present.right }, wanted)
    },
})

/** Rotates also a channel that the worker sets up meanwhile: its first key must not stay in force. */
const rotateAll = async (
  services: KeyringServices,
  environment: Environment,
  { network, accounts, present }: AllHeld & { readonly present: ReadonlyArray<Held> },
  wanted: WantedKey,
): Promise<E.Either<RotateFailure, ReadonlyArray<AccountKeys>>> => {
  const rotating = new Set<OwnAccount>()
  for (let next = present; ; ) {
    for (const each of next) {
      const begun = await begin(services, network, each, wanted)
      if (E.isLeft(begun)) return begun
      rotating.add(each.own)
    }
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const all = await shown(services, environment, { network, accounts })
    if (E.isLeft(all)) return all
    next = accounts.filter(({ own }, n) => all.right[n]?.asOf !== null && !rotating.has(own))
    if (next.length === 0) return all
  }
}

export type Held = { readonly scope: Scope; readonly own: OwnAccount; readonly sponsor: OwnAccount | null }
export type AllHeld = { readonly network: Network; readonly accounts: ReadonlyArray<Held> }

/** The accounts that are meant, each with the merchant or the platform that it belongs to and the sponsor of its reserves. */
export const heldBy = async (
  services: KeyringServices,
  environment: Environment,
  of: KeyHolder,
): Promise<E.Either<RotateFailure, AllHeld>> => {
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  await makeOwnKeys(services, network.right, environment)
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const ofPlatform = (owned: ReadonlyArray<OwnAccount>): E.Either<RotateFailure, AllHeld> => {
    const accounts = owned.map((own) => ({ scope: { merchantId: platform, environment }, own, sponsor: null }))
    return accounts.length === 0 ? E.left({ _tag: 'AccountNotCreated' }) : E.right({ network: network.right, accounts })
  }
  const operator = await operatorAccount(services, environment)
  switch (of._tag) {
    case 'operator': {
      const { merchantId } = of
      if (merchantId === undefined) return ofPlatform(operator === null ? [] : [operator])
      const scope = { merchantId, environment }
      const own = await merchantOperator(services, scope)
      if (own === null) return E.left({ _tag: 'AccountNotCreated' })
      return E.right({ network: network.right, accounts: [{ scope, own, sponsor: null }] })
    }
    case 'channels':
      return ofPlatform(await channelAccounts(services, environment))
    case 'settlement': {
      const { merchantId } = of
      const settlement = await services.settlementOf(merchantId, environment)()
      if (E.isLeft(settlement)) return settlement
      const { account, custody, isSponsored } = settlement.right
      const scope = { merchantId, environment }
      const key = settlementKey(environment, merchantId)
      // The account that was made here before is still watched, and its key has weight.
      const own = custody === 'merchant' ? await madeSettlement(services, scope) : { key, account }
      if (own === null || (custody === 'merchant' && own.account === account))
        return E.left({ _tag: 'SettlementAccountIsOwn' })
      const held = { scope, own, sponsor: isSponsored ? operator : null }
      return E.right({ network: network.right, accounts: [held] })
    }
  }
}

/** Those of the accounts that the ledger holds; a left if it holds none. A channel may never have been set up. */
export const onLedger = async ({
  network: { gateway },
  accounts,
}: AllHeld): Promise<E.Either<RotateFailure, ReadonlyArray<Held>>> => {
  const present: Array<Held> = []
  for (const held of accounts) {
    const view = await gateway.accountView(held.own.account, [])()
    if (E.isLeft(view)) return view
    if (view.right !== null) present.push(held)
  }
  const [first] = accounts
  if (present.length > 0 || first === undefined) return E.right(present)
  return E.left({ _tag: 'AccountNotOnLedger', account: first.own.account })
}

/**
 * The first key of the vault that was made after all that a rotation names or the ledger gives weight; made if there is none.
 * Never one that another installation has too, or that was made for the recovery key to give: it may have been sent past the log.
 */
const nextKey = async (
  { vault, readModels }: KeyringServices,
  environment: Environment,
  account: AccountId,
  view: AccountView | null,
  wanted: WantedKey = 'prepared',
): Promise<E.Either<KeyLacking | SignerUnavailable, AccountId>> => {
  const recorded = (await rotationsOf(readModels, environment, account)).map(({ action }) => action.to)
  const made = (
    await Promise.all(
      (
        await vault.keysNamed(rotatedKeys(environment, account))
      ).map(async (name) => {
        const key = await vault.publicKey(name)
        return key === null ? [] : [{ name, key }]
      }),
    )
  ).flat()
  const isUsed = (key: AccountId) => recorded.includes(key) || (view !== null && weightOf(view.authority, key) > 0)
  const unused = made.slice(made.findLastIndex(({ key }) => isUsed(key)) + 1)
  const prepared = await findInTurn(unused, async ({ name }) => !(await vault.carriage.hasPlaced(name)))
  if (wanted === 'prepared' && prepared !== undefined) return E.right(prepared.key)
  const key = await unmadeRotatedKey(vault, environment, account)
  return (await vault.mayMake(key)) ? vault.createKey(key)() : E.left({ _tag: 'KeyLacking', key })
}

/** Whether a key alone may change the signers of an account. */
export const maySetSigners = ({ authority }: Pick<AccountView, 'authority'>, key: AccountId): boolean =>
  weightOf(authority, key) >= heaviestThreshold(authority)

/** What a change of signers costs at most at first, beside the reserve of a new signer. */
const feeOfRotation = 10_000n

/** The lumens, in stroops, that its payer lacks for a change of signers; 0 or less if none. */
export const missingFor = (reserve: bigint, payer: AccountView | null): bigint =>
  reserve + feeOfRotation - (payer?.nativeSpendable ?? 0n)

const begin = async (
  services: KeyringServices,
  { gateway }: Network,
  { scope, own, sponsor }: Held,
  wanted: WantedKey,
): Promise<E.Either<RotateFailure, void>> => {
  const { environment } = scope
  const { account } = own
  if ((await rotationUnderWay(services.readModels, environment, account)) !== null) return E.right(undefined)
  const view = await gateway.accountView(account, [])()
  if (E.isLeft(view)) return view
  if (view.right === null) return E.left({ _tag: 'AccountNotOnLedger', account })
  const signer = await signerOf(services, environment, own, view.right)
  if (signer === null) return E.left({ _tag: 'KeyWithoutWeight', account })
  if (!maySetSigners(view.right, signer.publicKey)) return E.left({ _tag: 'RecoveryKeyNeeded', account })
  const payer = sponsor === null ? view : await gateway.accountView(sponsor.account, [])()
  if (E.isLeft(payer)) return payer
  // A later key is a signer entry, which the new one replaces.
  const missing = missingFor(signer.publicKey === account ? BASE_RESERVE : 0n, payer.right)
  if (missing > 0n)
    return E.left({ _tag: 'RotationUnaffordable', account: sponsor?.account ?? account, missing: stroops(missing) })
  const to = await nextKey(services, environment, account, view.right, wanted)
  if (E.isLeft(to)) return to
  const details = rotationDetails(account, to.right, sponsor?.account ?? null)
  const recorded = await recordRotation(services, scope, {
    details,
    to: to.right,
    at: services.clock.now(environment),
  })
  return E.isLeft(recorded) ? recorded : E.right(undefined)
}

export const shown = async (
  services: KeyringServices,
  environment: Environment,
  { network, accounts }: AllHeld,
): Promise<E.Either<RotateFailure, ReadonlyArray<AccountKeys>>> => {
  const all: Array<AccountKeys> = []
  for (const { own } of accounts) {
    const view = await network.gateway.accountView(own.account, [])()
    if (E.isLeft(view)) return view
    all.push(await keysOf(services, environment, own, view.right))
  }
  return E.right(all)
}

const keysOf = async (
  services: KeyringServices,
  environment: Environment,
  own: OwnAccount,
  view: AccountView | null,
): Promise<AccountKeys> => {
  const { account } = own
  const known: ReadonlyArray<string> = await knownKeysOf(services, environment, account)
  const listed = view?.authority.signers ?? []
  const unlisted = known.filter((key) => !listed.some((each) => each.key === key))
  const weighed = [...listed, ...unlisted.map((key) => ({ key, weight: 0 }))]
  const keys = weighed.map((each) => ({ ...each, isOurs: known.includes(each.key) }))
  const recovery = await recoveryOf(services, environment, account, view)
  const needed = view === null ? 1 : (recovery?.keepsSigners ? payingThreshold : heaviestThreshold)(view.authority)
  const newest = (await rotationsOf(services.readModels, environment, account)).at(-1)
  const rotation = newest === undefined ? null : standingOf(newest)
  const isAlone = keys.every(
    ({ key, weight }) => key === recovery?.signer || (key === rotation?.to ? weight >= needed : weight === 0),
  )
  const signer = view === null ? null : await signerOf(services, environment, own, view)
  return {
    account,
    asOf: view?.asOf ?? null,
    keys,
    needed,
    signs: signer?.publicKey ?? null,
    rotation,
    recovery,
    isProven: rotation?.status === 'done' && isAlone,
  }
}

const recoveryOf = async (
  services: KeyringServices,
  environment: Environment,
  account: AccountId,
  view: AccountView | null,
): Promise<RecoveryStanding | null> => {
  const newest = (await recoverySigningsOf(services.readModels, environment, account)).at(-1)
  if (newest === undefined) return null
  const { signer } = newest.action
  const own = await knownKeysOf(services, environment, account)
  return {
    signer,
    status: statusOf(newest.row),
    weight: view === null ? 0 : weightOf(view.authority, signer),
    keepsSigners: view !== null && keepsSigners(view.authority, signer, own),
  }
}

const statusOf = (row: IntentRow): RotationStanding['status'] => {
  switch (endOf(row)?._tag) {
    case undefined:
      return row.status === 'waiting' ? 'waiting' : 'sent'
    case 'settled':
      return 'done'
    case 'refused':
    case 'given_up':
      return 'failed'
  }
}

const standingOf = ({ row, action: { to } }: Rotation): RotationStanding => {
  const end = endOf(row)
  const inLedger = end === null || end._tag === 'given_up' ? null : end
  return {
    to,
    status: statusOf(row),
    transactionHash: inLedger?.transactionHash ?? (end === null ? row.attachedTo : null),
    ledger: inLedger?.ledger ?? null,
    code: end?._tag === 'refused' ? end.code : end?._tag === 'given_up' ? (end.code ?? asText(end.reason)) : null,
  }
}
