import { xdr } from '@stellar/stellar-sdk'

/** A `LedgerKey` in hex: what the ledger's entries are found by. */
export type EntryKey = string

export const accountKey = (accountId: xdr.PublicKey): EntryKey =>
  xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })).toXdr('hex')

export const trustlineKey = (accountId: xdr.PublicKey, asset: xdr.TrustLineAsset): EntryKey =>
  xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset })).toXdr('hex')

export const dataKey = (accountId: xdr.PublicKey, dataName: xdr.XdrString): EntryKey =>
  xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId, dataName })).toXdr('hex')

export const offerKey = (sellerId: xdr.PublicKey, offerId: bigint): EntryKey =>
  xdr.LedgerKey.offer(new xdr.LedgerKeyOffer({ sellerId, offerId })).toXdr('hex')

export const claimableBalanceKey = (balanceId: xdr.ClaimableBalanceId): EntryKey =>
  xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId })).toXdr('hex')

/** The kinds of entries this ledger holds. */
export type EntryData =
  | xdr.LedgerEntryDataAccount
  | xdr.LedgerEntryDataTrustline
  | xdr.LedgerEntryDataOffer
  | xdr.LedgerEntryDataData
  | xdr.LedgerEntryDataClaimableBalance

export const keyOf = (data: EntryData): EntryKey => {
  switch (data.type) {
    case 'account':
      return accountKey(data.account.accountId)
    case 'trustline':
      return trustlineKey(data.trustLine.accountId, data.trustLine.asset)
    case 'offer':
      return offerKey(data.offer.sellerId, data.offer.offerId)
    case 'data':
      return dataKey(data.data.accountId, data.data.dataName)
    case 'claimableBalance':
      return claimableBalanceKey(data.claimableBalance.balanceId)
  }
}

/** Thrown when the stored state holds an entry this ledger cannot have written. */
class ForeignEntry extends Error {
  constructor(type: string) {
    super(`the sandbox's ledger holds no entries of type ${type}`)
  }
}

/** Narrows a decoded entry to the kinds held here. */
export const dataOf = ({ data }: xdr.LedgerEntry): EntryData => {
  switch (data.type) {
    case 'account':
    case 'trustline':
    case 'offer':
    case 'data':
    case 'claimableBalance':
      return data
    case 'liquidityPool':
    case 'contractData':
    case 'contractCode':
    case 'configSetting':
    case 'ttl':
      throw new ForeignEntry(data.type)
  }
}
