import { xdr } from '@stellar/stellar-sdk'
import { type IssuedAsset, issuerOf } from './assets.ts'
import type { LedgerDraft, LedgerView } from './draft.ts'
import { trustlineKey } from './entry-keys.ts'

/** Trustline flags: fully authorized; authorized only to maintain offers; subject to clawback. */
export const authorizedFlag = 1
export const maintainsLiabilitiesFlag = 2
export const clawbackFlag = 4

export const findTrustline = (
  view: LedgerView,
  accountId: xdr.PublicKey,
  asset: IssuedAsset,
): xdr.TrustLineEntry | undefined => {
  const data = view.find(trustlineKey(accountId, asset))?.data
  return data?.type === 'trustline' ? data.trustLine : undefined
}

export const saveTrustline = (
  draft: LedgerDraft,
  line: xdr.TrustLineEntry,
  change: Partial<ConstructorParameters<typeof xdr.TrustLineEntry>[0]>,
): void => draft.put(xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...line, ...change })))

/** Issuers have no trustline in their own asset: what they receive ceases to exist, and they can send without limit. */
export const isIssuer = (accountId: xdr.PublicKey, asset: IssuedAsset): boolean => issuerOf(asset).equals(accountId)

/** The liabilities of its holder's offers, in stroops. */
export const lineLiabilities = ({ ext }: xdr.TrustLineEntry): xdr.Liabilities =>
  ext.type === 'v1' ? ext.v1.liabilities : new xdr.Liabilities({ buying: 0n, selling: 0n })

export const withLiabilities = ({ ext }: xdr.TrustLineEntry, liabilities: xdr.Liabilities): xdr.TrustLineEntryExt =>
  xdr.TrustLineEntryExt.v1(
    new xdr.TrustLineEntryV1({ liabilities, ext: ext.type === 'v1' ? ext.v1.ext : xdr.TrustLineEntryV1Ext.v0() }),
  )
