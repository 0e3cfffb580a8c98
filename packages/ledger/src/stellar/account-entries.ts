import { type AccountId, type AssetId, maximumStroops, type Stroops, stroops } from '@quittance/domain'
import { Keypair, SignerKey, xdr } from '@stellar/stellar-sdk'
import type { AccountView, Authority, Trustline } from '../gateway.ts'
import { BASE_RESERVE } from '../reserve.ts'
import { NATIVE, trustedAssetIdOf } from './assets.ts'
import { holdingKey } from './balances.ts'

const MEMO_REQUIRED = 'config.memo_required'
const AUTHORIZED_FLAG = 1
const positive = (amount: bigint): Stroops => stroops(amount > 0n ? amount : 0n)

const nativeAmounts = ({ balance, numSubEntries, ext }: xdr.AccountEntry) => {
  const { liabilities, ext: more } = ext.type === 'v1' ? ext.v1 : { liabilities: null, ext: null }
  const { numSponsoring, numSponsored } = more?.type === 'v2' ? more.v2 : { numSponsoring: 0, numSponsored: 0 }
  const reserve = positive(BigInt(2 + numSubEntries + numSponsoring - numSponsored) * BASE_RESERVE)
  const { selling = 0n, buying = 0n } = liabilities ?? {}
  return {
    nativeBalance: stroops(balance),
    nativeSpendable: positive(balance - reserve - selling),
    nativeReceivable: positive(maximumStroops - balance - buying),
    nativePromised: positive(selling),
    reserve,
  }
}

/** The ledger keys of an account, of its SEP-29 entry, and of its trustlines in the given assets. */
export const accountKeys = (account: AccountId, assets: ReadonlyArray<AssetId>): ReadonlyArray<xdr.LedgerKey> => {
  const accountId = Keypair.fromPublicKey(account).xdrAccountId()
  return [
    holdingKey({ account, assetId: NATIVE }),
    xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId, dataName: MEMO_REQUIRED })),
    ...assets.filter((asset) => asset !== NATIVE).map((assetId) => holdingKey({ account, assetId })),
  ]
}

const trustlineOf = ({ asset, balance, limit, flags, ext }: xdr.TrustLineEntry): ReadonlyArray<Trustline> => {
  const assetId = trustedAssetIdOf(asset)
  if (assetId === null) return []
  const isAuthorized = (flags & AUTHORIZED_FLAG) !== 0
  const { selling, buying } = ext.type === 'v1' ? ext.v1.liabilities : { selling: 0n, buying: 0n }
  const room = { spendable: positive(balance - selling), receivable: positive(limit - balance - buying) }
  return [{ assetId, balance: stroops(balance), limit: stroops(limit), ...room, isAuthorized }]
}

/** The four bytes of an account's thresholds: the weight of its own key, then low, medium and high. */
const [MASTER_WEIGHT, LOW, MEDIUM, HIGH] = [0, 1, 2, 3] as const

const authorityOf = (account: AccountId, { thresholds, signers }: xdr.AccountEntry): Authority => ({
  signers: [
    { key: account, weight: thresholds.value[MASTER_WEIGHT] ?? 0 },
    ...signers.map(({ key, weight }) => ({ key: SignerKey.encodeSignerKey(key), weight })),
  ],
  lowThreshold: thresholds.value[LOW] ?? 0,
  mediumThreshold: thresholds.value[MEDIUM] ?? 0,
  highThreshold: thresholds.value[HIGH] ?? 0,
})

/**
 * An account as the entries of `accountKeys` show it; null when its own is not among them. SEP-29 asks for a memo with
 * the value "1".
 */
export const accountView = (account: AccountId, entries: ReadonlyArray<xdr.LedgerEntryData>): AccountView | null => {
  const own = entries.find((entry) => entry.type === 'account')
  if (own === undefined) return null
  return {
    account,
    accountSequence: own.account.seqNum,
    ...nativeAmounts(own.account),
    trustlines: entries.flatMap((entry) => (entry.type === 'trustline' ? trustlineOf(entry.trustLine) : [])),
    requiresMemo: entries.some(
      (entry) => entry.type === 'data' && Buffer.from(entry.data.dataValue.value).toString('latin1') === '1',
    ),
    authority: authorityOf(account, own.account),
  }
}
