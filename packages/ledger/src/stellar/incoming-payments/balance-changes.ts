import type { AccountId, AssetId } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'
import type { WatchedAccounts } from '../../gateway.ts'
import { accountIdOf } from '../addresses.ts'
import type { EntryChanges } from '../applied-transaction.ts'
import { NATIVE, trustedAssetIdOf } from '../assets.ts'

/**
 * A change of one balance in a step of a ledger, by `delta` stroops; 0 where only the entry changed. `asset` null: XLM.
 */
export type RawBalanceChange = {
  readonly key: xdr.Uint256Bytes
  readonly asset: xdr.TrustLineAsset | null
  readonly delta: bigint
}

/** The same with the names of account and asset. */
export type BalanceChange = { readonly account: AccountId; readonly assetId: AssetId; readonly delta: bigint }

type AccountBalance = {
  readonly key: xdr.Uint256Bytes
  readonly asset: xdr.TrustLineAsset | null
  readonly balance: bigint
}

const balanceIn = ({ data }: xdr.LedgerEntry): AccountBalance | null => {
  if (data.type === 'account')
    return { key: data.account.accountId.ed25519, asset: null, balance: data.account.balance }
  if (data.type === 'trustline') {
    const { accountId, asset, balance } = data.trustLine
    return asset.type === 'assetTypePoolShare' ? null : { key: accountId.ed25519, asset, balance }
  }
  return null
}

const isBalanceKey = (key: xdr.LedgerKey): boolean =>
  key.type === 'account' || (key.type === 'trustline' && key.trustLine.asset.type !== 'assetTypePoolShare')

const nothing = new Uint8Array()

/** The bytes that identify a balance: readable names are expensive to make. */
const bytesOf = ({ key, asset }: AccountBalance): ReadonlyArray<Uint8Array> =>
  asset?.type === 'assetTypeCreditAlphanum4' || asset?.type === 'assetTypeCreditAlphanum12'
    ? [key.value, asset.value.assetCode.value, asset.value.issuer.ed25519.value]
    : [key.value]

const isSameBalance = (one: AccountBalance, other: AccountBalance): boolean => {
  const parts = bytesOf(one)
  const others = bytesOf(other)
  return parts.length === others.length && parts.every((part, at) => Buffer.compare(part, others[at] ?? nothing) === 0)
}

/**
 * The changes of accounts' balances in one step: each new balance minus the one in the state entry before it.
 * `namedChanges` names them, since most accounts of a ledger are not watched.
 * Throws where a balance changes without a state before: the meta then contradicts itself.
 */
export const rawBalanceChanges = (changes: EntryChanges): ReadonlyArray<RawBalanceChange> => {
  const found: Array<RawBalanceChange> = []
  let before: AccountBalance | null = null
  for (const change of changes) {
    switch (change.type) {
      case 'ledgerEntryState':
        before = balanceIn(change.state)
        continue
      case 'ledgerEntryCreated': {
        const after = balanceIn(change.created)
        if (after !== null) found.push({ key: after.key, asset: after.asset, delta: after.balance })
        break
      }
      case 'ledgerEntryUpdated': {
        const after = balanceIn(change.updated)
        if (after === null) break
        if (before === null || !isSameBalance(before, after)) throw new Error('a balance changed from an unknown state')
        found.push({ key: after.key, asset: after.asset, delta: after.balance - before.balance })
        break
      }
      case 'ledgerEntryRemoved':
        if (!isBalanceKey(change.removed)) break
        if (before === null) throw new Error('a balance was removed from an unknown state')
        found.push({ key: before.key, asset: before.asset, delta: -before.balance })
        break
      case 'ledgerEntryRestored':
        break
    }
    before = null
  }
  return found
}

/**
 * Names accounts by their keys, with one cache for each ledger: encoding a name is expensive, and most names repeat.
 */
export const accountNames = (): ((key: xdr.Uint256Bytes) => AccountId) => {
  const names = new Map<string, AccountId>()
  return (key) => {
    const hex = key.toString()
    const known = names.get(hex)
    if (known !== undefined) return known
    const name = accountIdOf(key)
    names.set(hex, name)
    return name
  }
}

/** Looks each account up once: whether it is watched may come from a database, and accounts repeat. */
export const askedOnce = (watched: WatchedAccounts): ((account: AccountId) => boolean) => {
  const known = new Map<AccountId, boolean>()
  return (account) => {
    const isWatched = known.get(account) ?? watched.has(account)
    known.set(account, isWatched)
    return isWatched
  }
}

/** The changes of the accounts of interest, added up for each balance, in the order of their first change. */
export const namedChanges = (
  changes: ReadonlyArray<RawBalanceChange>,
  nameOf: (key: xdr.Uint256Bytes) => AccountId,
  isOfInterest: (account: AccountId) => boolean,
): ReadonlyArray<BalanceChange> => {
  const sums = new Map<string, BalanceChange>()
  for (const { key, asset, delta } of changes) {
    const account = nameOf(key)
    if (!isOfInterest(account)) continue
    const assetId = asset === null ? NATIVE : trustedAssetIdOf(asset)
    if (assetId === null) continue
    const balance = `${account} ${assetId}`
    sums.set(balance, { account, assetId, delta: (sums.get(balance)?.delta ?? 0n) + delta })
  }
  return [...sums.values()]
}
