import { AssetId } from '@quittance/domain'
import { Asset, type xdr } from '@stellar/stellar-sdk'
import { named } from '../named.ts'
import { accountOf } from './addresses.ts'

/** Asset codes are padded with zero bytes on the wire. */
const codeText = (code: Uint8Array): string => Buffer.from(code).toString('latin1').replace(/\0+$/, '')

/** The network's own asset, XLM. */
export const NATIVE = named(AssetId, 'native')

const issued = ({ assetCode, issuer }: xdr.AlphaNum4 | xdr.AlphaNum12): AssetId =>
  named(AssetId, `${codeText(assetCode.value)}:${accountOf(issuer)}`)

/** The SEP-11 name: `native` or `CODE:ISSUER`. */
export const assetIdOf = (asset: xdr.Asset): AssetId => {
  switch (asset.type) {
    case 'assetTypeNative':
      return NATIVE
    case 'assetTypeCreditAlphanum4':
      return issued(asset.alphaNum4)
    case 'assetTypeCreditAlphanum12':
      return issued(asset.alphaNum12)
  }
}

/** The asset that a trustline holds; null for a share of a liquidity pool. */
export const trustedAssetIdOf = (asset: xdr.TrustLineAsset): AssetId | null =>
  asset.type === 'assetTypePoolShare' ? null : assetIdOf(asset)

/** The SDK's asset of a SEP-11 name. Throws on other text: asset ids are validated where they come in. */
export const sdkAsset = (assetId: AssetId): Asset => {
  if (assetId === 'native') return Asset.native()
  const [code = '', issuer = ''] = assetId.split(':')
  return new Asset(code, issuer)
}
