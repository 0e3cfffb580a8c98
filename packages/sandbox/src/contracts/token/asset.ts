import { StrKey, xdr } from '@stellar/stellar-sdk'
import { type IssuedAsset, isAssetValid, issuedAsset, issuerOf } from '../../ledger/assets.ts'
import type { Frame, InstanceStorage } from '../host.ts'
import { hostError } from '../host-error.ts'
import { accountAddress, addressValue, fieldOf, record, symbol, vec } from '../values/sc-values.ts'

const metadataKey = symbol('METADATA')
const assetInfoKey = vec(symbol('AssetInfo'))
const adminKey = vec(symbol('Admin'))

export const decimals = 7

const codeOf = (asset: IssuedAsset): Uint8Array =>
  asset.type === 'assetTypeCreditAlphanum4' ? asset.alphaNum4.assetCode.value : asset.alphaNum12.assetCode.value

const infoOf = (asset: IssuedAsset | undefined): xdr.ScVal => {
  if (asset === undefined) return vec(symbol('Native'))
  const form = asset.type === 'assetTypeCreditAlphanum4' ? 'AlphaNum4' : 'AlphaNum12'
  const code = xdr.ScVal.scvString(codeOf(asset))
  const issuer = xdr.ScVal.scvBytes(issuerOf(asset).ed25519.value)
  return vec(symbol(form), record({ asset_code: code, issuer }))
}

/** Stores a new token's asset, its name and symbol (SEP-11), and its issuer as admin. */
export const initializeAsset = (instance: InstanceStorage, asset: xdr.Asset): void => {
  if (!isAssetValid(asset)) throw hostError('value', 'invalidInput', 'asset code has invalid characters')
  const issued = issuedAsset(asset)
  const code = issued === undefined ? 'native' : Buffer.from(codeOf(issued)).toString('latin1').replaceAll('\0', '')
  const issuer = issued === undefined ? undefined : issuerOf(issued)
  const name = issuer === undefined ? code : `${code}:${StrKey.encodeEd25519PublicKey(issuer.ed25519.value)}`
  if (issuer !== undefined) instance.put(adminKey, addressValue(accountAddress(issuer)))
  instance.put(assetInfoKey, infoOf(issued))
  const texts = { name: xdr.ScVal.scvString(name), symbol: xdr.ScVal.scvString(code) }
  instance.put(metadataKey, record({ decimal: xdr.ScVal.scvU32(decimals), ...texts }))
}

export const isInitialized = (instance: InstanceStorage): boolean => instance.find(assetInfoKey) !== undefined

const malformed = () => hostError('storage', 'internalError', 'a token without its asset')

/** The asset of a token contract. */
export const assetIn = ({ instance }: Frame): xdr.Asset => {
  const info = instance.find(assetInfoKey)
  const [form, fields] = info?.type === 'scvVec' ? (info.vec ?? []) : []
  if (form?.type !== 'scvSymbol') throw malformed()
  const kind = form.sym.toString()
  if (kind === 'Native') return xdr.Asset.assetTypeNative()
  const [code, issuer] = [fieldOf(fields, 'asset_code'), fieldOf(fields, 'issuer')]
  if (code?.type !== 'scvString' || issuer?.type !== 'scvBytes') throw malformed()
  const parts = { assetCode: code.str.bytes, issuer: xdr.PublicKey.publicKeyTypeEd25519(issuer.bytes.value) }
  return kind === 'AlphaNum4'
    ? xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4(parts))
    : xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12(parts))
}

const metadata = ({ instance }: Frame, field: 'name' | 'symbol'): xdr.ScVal => {
  const found = fieldOf(instance.find(metadataKey), field)
  if (found === undefined) throw malformed()
  return found
}

export const nameIn = (frame: Frame): xdr.ScVal => metadata(frame, 'name')
export const symbolIn = (frame: Frame): xdr.ScVal => metadata(frame, 'symbol')

/** The address that may mint, claw back and authorize; the native asset has none. */
export const adminIn = ({ instance }: Frame): xdr.ScAddress => {
  const admin = instance.find(adminKey)
  if (admin?.type !== 'scvAddress') throw hostError('storage', 'missingValue', 'nobody administers this token')
  return admin.address
}

export const setAdmin = ({ instance }: Frame, admin: xdr.ScAddress): void => instance.put(adminKey, addressValue(admin))
