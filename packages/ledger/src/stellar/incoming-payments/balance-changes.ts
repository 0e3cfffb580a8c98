import type { AccountId, AssetId } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'
import type { WatchedAccounts } from '../../gateway.ts'
import { accountIdOf } from '../addresses.ts'
import type { EntryChanges } from '../applied-transaction.ts'
import { NATIVE, trustedAssetIdOf } from '../assets.ts'

/** What a step of a ledger did to one balance, `delta` stroops; 0 where it only touched the entry. `asset` null: XLM. */
export type RawBalanceChange = {
  readonly key: xdr.Uint256Bytes
  readonly asset: xdr.TrustLineAsset | null
  readonly delta: bigint
}

/** The same with the names of account and asset. */
export type BalanceChange = { readonly account: AccountId; readonly assetId: AssetId; readonly delta: bigint }

type Held = { readonly key: xdr.Uint256Bytes; readonly asset: xdr.TrustLineAsset | null; readonly balance: bigint }

const heldIn = ({ data }: xdr.LedgerEntry): Held | null => {
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

/** What names a balance, as bytes: the names for people are dear to make. */
const bytesOf = ({ key, asset }: Held): ReadonlyArray<Uint8Array> =>
  asset?.type === 'assetTypeCreditAlphanum4' || asset?.type === 'assetTypeCreditAlphanum12'
    ? [key.value, asset.value.assetCode.value, asset.value.issuer.ed25519.value]
    : [key.value]

const isSameBalance = (one: Held, other: Held): boolean => {
  const parts = bytesOf(one)
  const others = bytesOf(other)
  return parts.length === others.length && parts.every((part, at) => Buffer.compare(part, others[at] ?? nothing) === 0)
}

/**
 * What a step did to the balances of accounts: each new balance less the one in the state entry that stands before it.
 * Names are left to `namedChanges`, since most accounts of a ledger are of no interest.
 * Throws where a balance changes whose state before is not there: the meta then contradicts itself.
 */
export const rawBalanceChanges = (changes: EntryChanges): ReadonlyArray<RawBalanceChange> => {
  const found: Array<RawBalanceChange> = []
  let before: Held | null = null
  for (const change of changes) {
    switch (change.type) {
      case 'ledgerEntryState':
        before = heldIn(change.state)
        continue
      case 'ledgerEntryCreated': {
        const held = heldIn(change.created)
        if (held !== null) found.push({ key: held.key, asset: held.asset, delta: held.balance })
        break
      }
      case 'ledgerEntryUpdated': {
        const held = heldIn(change.updated)
        if (held === null) break
        if (before === null || !isSameBalance(before, held)) throw new Error('a balance changed from an unknown state')
        found.push({ key: held.key, asset: held.asset, delta: held.balance - before.balance })
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

/** Names accounts by their keys. One is made for each ledger: encoding a name is the dear part, and most repeat. */
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

/** Asks of each account once whether it is watched: the answer may come from a database, and accounts repeat. */
export const askedOnce = (watched: WatchedAccounts): ((account: AccountId) => boolean) => {
  const answers = new Map<AccountId, boolean>()
  return (account) => {
    const answer = answers.get(account) ?? watched.has(account)
    answers.set(account, answer)
    return answer
  }
}

/** The changes of the accounts that are of interest, those of one balance added up, in the order of their first change. */
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
