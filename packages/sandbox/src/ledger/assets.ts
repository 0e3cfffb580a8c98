import { xdr } from '@stellar/stellar-sdk'

/** An issued asset, in the form that trustlines use. */
export type IssuedAsset = xdr.TrustLineAssetCreditAlphanum4 | xdr.TrustLineAssetCreditAlphanum12

/** Converts to the form that trustlines use; undefined for the native asset and for pool shares. */
export const issuedAsset = (asset: xdr.Asset | xdr.ChangeTrustAsset): IssuedAsset | undefined => {
  switch (asset.type) {
    case 'assetTypeCreditAlphanum4':
      return xdr.TrustLineAsset.assetTypeCreditAlphanum4(asset.alphaNum4)
    case 'assetTypeCreditAlphanum12':
      return xdr.TrustLineAsset.assetTypeCreditAlphanum12(asset.alphaNum12)
    case 'assetTypeNative':
    case 'assetTypePoolShare':
      return undefined
  }
}

/** Converts to the form that payments and offers use. */
export const assetOf = (asset: IssuedAsset): xdr.Asset =>
  asset.type === 'assetTypeCreditAlphanum4'
    ? xdr.Asset.assetTypeCreditAlphanum4(asset.alphaNum4)
    : xdr.Asset.assetTypeCreditAlphanum12(asset.alphaNum12)

export const isIssued = (asset: xdr.TrustLineAsset): asset is IssuedAsset =>
  asset.type === 'assetTypeCreditAlphanum4' || asset.type === 'assetTypeCreditAlphanum12'

export const issuerOf = (asset: IssuedAsset): xdr.PublicKey =>
  asset.type === 'assetTypeCreditAlphanum4' ? asset.alphaNum4.issuer : asset.alphaNum12.issuer

/** Whether the code is 1 to 4 letters and digits, or 5 to 12 in the long form, padded with zero bytes. */
export const isCodeValid = (asset: IssuedAsset): boolean => {
  const [code, form] =
    asset.type === 'assetTypeCreditAlphanum4'
      ? [asset.alphaNum4.assetCode.value, /^[A-Za-z0-9]{1,4}\0*$/]
      : [asset.alphaNum12.assetCode.value, /^[A-Za-z0-9]{5,12}\0*$/]
  return form.test(Buffer.from(code).toString('latin1'))
}

export const isAssetValid = (asset: xdr.Asset): boolean => {
  const issued = issuedAsset(asset)
  return issued === undefined || isCodeValid(issued)
}
