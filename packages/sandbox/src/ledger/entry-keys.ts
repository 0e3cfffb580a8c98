import { xdr } from '@stellar/stellar-sdk'
import { hexOf, sha256 } from '../network.ts'

/** A `LedgerKey` in hex. */
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

export const contractDataKey = (
  contract: xdr.ScAddress,
  key: xdr.ScVal,
  durability: xdr.ContractDataDurability,
): EntryKey => xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract, key, durability })).toXdr('hex')

export const contractCodeKey = (hash: xdr.Hash | Uint8Array): EntryKey =>
  xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash })).toXdr('hex')

/** The XDR type of a TTL key, written out for speed: every access to a contract entry looks one up. */
const ttlType = '00000009'
const ttlKey = (keyHash: Uint8Array): EntryKey => `${ttlType}${hexOf(keyHash)}`

/** The SHA-256 of an entry's key, which identifies its TTL entry. */
export const keyHashOf = (key: EntryKey): Uint8Array => sha256(Buffer.from(key, 'hex'))

export const ttlKeyOf = (key: EntryKey): EntryKey => ttlKey(keyHashOf(key))

/** The kinds of entries that this ledger supports. */
export type EntryData =
  | xdr.LedgerEntryDataAccount
  | xdr.LedgerEntryDataTrustline
  | xdr.LedgerEntryDataOffer
  | xdr.LedgerEntryDataData
  | xdr.LedgerEntryDataClaimableBalance
  | xdr.LedgerEntryDataContractData
  | xdr.LedgerEntryDataContractCode
  | xdr.LedgerEntryDataTtl

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
    case 'contractData':
      return contractDataKey(data.contractData.contract, data.contractData.key, data.contractData.durability)
    case 'contractCode':
      return contractCodeKey(data.contractCode.hash)
    case 'ttl':
      return ttlKey(data.ttl.keyHash.value)
  }
}

/** Thrown for a stored entry that this ledger cannot have written. */
class ForeignEntry extends Error {
  constructor(type: string) {
    super(`the sandbox's ledger holds no entries of type ${type}`)
  }
}

/** Narrows a decoded entry to the supported kinds. */
export const dataOf = ({ data }: xdr.LedgerEntry): EntryData => {
  switch (data.type) {
    case 'account':
    case 'trustline':
    case 'offer':
    case 'data':
    case 'claimableBalance':
    case 'contractData':
    case 'contractCode':
    case 'ttl':
      return data
    case 'liquidityPool':
    case 'configSetting':
      throw new ForeignEntry(data.type)
  }
}
