import { Asset, Keypair, StrKey, type xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { stroopsOf } from '../ledger/decimal.ts'

/**
 * Why a query is invalid: one field is; or (`SourceUnclear`) it names neither or both of source assets and source
 * account.
 */
export type QueryRefusal =
  | { readonly _tag: 'InvalidField'; readonly field: string; readonly reason: string }
  | { readonly _tag: 'SourceUnclear' }

/** The amount to deliver, in stroops, and its payer or the assets to pay with. */
export type PathRequest = { readonly destAsset: Asset; readonly destAmount: bigint } & (
  | { readonly payer: xdr.PublicKey }
  | { readonly sendAssets: ReadonlyArray<Asset> }
)

const invalid = (field: string, reason: string): E.Either<QueryRefusal, never> =>
  E.left({ _tag: 'InvalidField', field, reason })

const codeForms: Readonly<Record<string, RegExp>> = {
  credit_alphanum4: /^[A-Za-z0-9]{1,4}$/,
  credit_alphanum12: /^[A-Za-z0-9]{5,12}$/,
}

const destination = (query: URLSearchParams): E.Either<QueryRefusal, Asset> => {
  const type = query.get('destination_asset_type') ?? ''
  const code = query.get('destination_asset_code') ?? ''
  const issuer = query.get('destination_asset_issuer') ?? ''
  const form = codeForms[type]
  if (form === undefined && type !== 'native')
    return invalid('destination_asset_type', 'must be native, credit_alphanum4 or credit_alphanum12')
  if (form === undefined) {
    if (code !== '') return invalid('destination_asset_code', 'the native asset has no code')
    return issuer === ''
      ? E.right(Asset.native())
      : invalid('destination_asset_issuer', 'the native asset has no issuer')
  }
  if (!form.test(code)) return invalid('destination_asset_code', `not a code of ${type}`)
  if (!StrKey.isValidEd25519PublicKey(issuer)) return invalid('destination_asset_issuer', 'not an account')
  return E.right(new Asset(code, issuer))
}

const maxSourceAssets = 15

const assetFrom = (text: string): Asset | undefined => {
  if (text === 'native') return Asset.native()
  const [code = '', issuer = '', ...more] = text.split(':')
  const isAsset = /^[A-Za-z0-9]{1,12}$/.test(code) && StrKey.isValidEd25519PublicKey(issuer) && more.length === 0
  return isAsset ? new Asset(code, issuer) : undefined
}

type PaymentSource = { readonly payer: xdr.PublicKey } | { readonly sendAssets: ReadonlyArray<Asset> }

const paymentSource = (query: URLSearchParams): E.Either<QueryRefusal, PaymentSource> => {
  const account = query.get('source_account') ?? ''
  const list = query.get('source_assets') ?? ''
  if ((account === '') === (list === '')) return E.left({ _tag: 'SourceUnclear' })
  if (account !== '')
    return StrKey.isValidEd25519PublicKey(account)
      ? E.right({ payer: Keypair.fromPublicKey(account).xdrAccountId() })
      : invalid('source_account', 'not an account')
  const texts = list.split(',')
  if (texts.length > maxSourceAssets) return invalid('source_assets', `more than ${maxSourceAssets} assets`)
  const sendAssets = texts.flatMap((text) => assetFrom(text) ?? [])
  return sendAssets.length === texts.length
    ? E.right({ sendAssets })
    : invalid('source_assets', 'must be a list of native and CODE:ISSUER, divided by commas')
}

/** Reads the query of a search for strict-receive paths, checking fields in Horizon's order. */
export const pathRequest = (query: URLSearchParams): E.Either<QueryRefusal, PathRequest> => {
  const from = paymentSource(query)
  if (E.isLeft(from)) return from
  const destAsset = destination(query)
  if (E.isLeft(destAsset)) return destAsset
  const destAmount = stroopsOf(query.get('destination_amount') ?? '')
  if (destAmount === undefined || destAmount === 0n)
    return invalid('destination_amount', 'must be a positive decimal with at most 7 decimals')
  return E.right({ destAsset: destAsset.right, destAmount, ...from.right })
}
