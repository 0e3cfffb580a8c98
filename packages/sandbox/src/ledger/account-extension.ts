import { xdr } from '@stellar/stellar-sdk'

/**
 * An account's nested extensions, flattened. `level` is how many the entry has: the first comes with the first offer
 * (liabilities), the second with the first sponsorship, the third with the first transaction; none is ever lost.
 * `signerSponsors` is parallel to `signers`; null means unsponsored.
 */
export type AccountExtension = {
  readonly level: 0 | 1 | 2 | 3
  readonly liabilities: xdr.Liabilities
  readonly numSponsored: number
  readonly numSponsoring: number
  readonly signerSponsors: ReadonlyArray<xdr.PublicKey | null>
  readonly seqLedger: number
  readonly seqTime: bigint
}

const levelOf = (v1: xdr.AccountEntryExtensionV1 | undefined, v2: xdr.AccountEntryExtensionV2 | undefined) => {
  if (v2 !== undefined) return v2.ext.type === 'v3' ? 3 : 2
  return v1 === undefined ? 0 : 1
}

/** Reads an account's extensions; missing ones read as zero. */
export const extensionOf = ({ ext, signers }: xdr.AccountEntry): AccountExtension => {
  const v1 = ext.type === 'v1' ? ext.v1 : undefined
  const v2 = v1?.ext.type === 'v2' ? v1.ext.v2 : undefined
  const v3 = v2?.ext.type === 'v3' ? v2.ext.v3 : undefined
  return {
    level: levelOf(v1, v2),
    liabilities: v1?.liabilities ?? new xdr.Liabilities({ buying: 0n, selling: 0n }),
    numSponsored: v2?.numSponsored ?? 0,
    numSponsoring: v2?.numSponsoring ?? 0,
    signerSponsors: v2?.signerSponsoringIDs ?? signers.map(() => null),
    seqLedger: v3?.seqLedger ?? 0,
    seqTime: v3?.seqTime ?? 0n,
  }
}

const v3Ext = ({ level, seqLedger, seqTime }: AccountExtension): xdr.AccountEntryExtensionV2Ext =>
  level < 3
    ? xdr.AccountEntryExtensionV2Ext.v0()
    : xdr.AccountEntryExtensionV2Ext.v3(
        new xdr.AccountEntryExtensionV3({ ext: xdr.ExtensionPoint.v0(), seqLedger, seqTime }),
      )

const v2Ext = (extension: AccountExtension): xdr.AccountEntryExtensionV1Ext => {
  const { level, numSponsored, numSponsoring, signerSponsors } = extension
  if (level < 2) return xdr.AccountEntryExtensionV1Ext.v0()
  const signerSponsoringIDs = [...signerSponsors]
  return xdr.AccountEntryExtensionV1Ext.v2(
    new xdr.AccountEntryExtensionV2({ numSponsored, numSponsoring, signerSponsoringIDs, ext: v3Ext(extension) }),
  )
}

/** Writes as many extensions as `level` says. */
export const extensionFrom = (extension: AccountExtension): xdr.AccountEntryExt => {
  const { level, liabilities } = extension
  if (level < 1) return xdr.AccountEntryExt.v0()
  return xdr.AccountEntryExt.v1(new xdr.AccountEntryExtensionV1({ liabilities, ext: v2Ext(extension) }))
}

/** Changes an account's extensions, at the level required or the one it has, if higher. */
export const extended = (
  account: xdr.AccountEntry,
  least: AccountExtension['level'],
  change: Partial<Omit<AccountExtension, 'level'>>,
): xdr.AccountEntryExt => {
  const before = extensionOf(account)
  return extensionFrom({ ...before, ...change, level: before.level < least ? least : before.level })
}
