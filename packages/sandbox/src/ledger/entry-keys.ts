import { xdr } from '@stellar/stellar-sdk'

/** A `LedgerKey` in hex: what the ledger's entries are found by. */
export type EntryKey = string

export const accountKey = (accountId: xdr.PublicKey): EntryKey =>
  xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })).toXdr('hex')

export const trustlineKey = (accountId: xdr.PublicKey, asset: xdr.TrustLineAsset): EntryKey =>
  xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset })).toXdr('hex')

export const dataKey = (accountId: xdr.PublicKey, dataName: xdr.XdrString): EntryKey =>
  xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId, dataName })).toXdr('hex')

/** The kinds of entries this ledger holds. */
export type EntryData = xdr.LedgerEntryDataAccount | xdr.LedgerEntryDataTrustline | xdr.LedgerEntryDataData

export const keyOf = (data: EntryData): EntryKey => {
  switch (data.type) {
    case 'account':
      return accountKey(data.account.accountId)
    case 'trustline':
      return trustlineKey(data.trustLine.accountId, data.trustLine.asset)
    case 'data':
      return dataKey(data.data.accountId, data.data.dataName)
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
  if (data.type === 'account' || data.type === 'trustline' || data.type === 'data') return data
  throw new ForeignEntry(data.type)
}
