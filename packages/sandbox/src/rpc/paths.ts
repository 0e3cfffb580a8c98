import { Asset, type xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { PaymentPath } from '../exchange/payment-path.ts'
import { decimalOf } from '../ledger/decimal.ts'
import type { LedgerReader } from '../sandbox-api.ts'
import type { HttpResponse } from './http-response.ts'
import { type PathRequest, pathRequest, type QueryRefusal } from './path-query.ts'

const badRequest = (more: object): HttpResponse => ({
  status: 400,
  contentType: 'application/problem+json; charset=utf-8',
  body: { type: 'https://stellar.org/horizon-errors/bad_request', title: 'Bad Request', status: 400, ...more },
})

const refusal = (refused: QueryRefusal): HttpResponse => {
  switch (refused._tag) {
    case 'InvalidField':
      return badRequest({
        detail: 'The request you sent was invalid in some way.',
        extras: { invalid_field: refused.field, reason: refused.reason },
      })
    case 'SourceUnclear':
      return badRequest({
        detail: 'Give either source_assets or source_account: one of them is needed, and not both.',
      })
  }
}

/** Horizon's field names of an asset; the native asset has neither code nor issuer. */
const named = (prefix: '' | 'source_' | 'destination_', asset: xdr.Asset): Readonly<Record<string, string>> => {
  const { code, issuer, type } = shown(asset)
  const field = `${prefix}asset_type`
  return issuer === undefined
    ? { [field]: type }
    : { [field]: type, [`${prefix}asset_code`]: code, [`${prefix}asset_issuer`]: issuer }
}

const shown = (asset: xdr.Asset) => {
  const known = Asset.fromOperation(asset)
  return { code: known.code, issuer: known.issuer, type: known.getAssetType() }
}

const recordOf = ({ destAsset, destAmount }: PathRequest, { sendAsset, sendAmount, path }: PaymentPath) => ({
  ...named('source_', sendAsset),
  source_amount: decimalOf(sendAmount),
  ...named('destination_', destAsset.toXdrObject()),
  destination_amount: decimalOf(destAmount),
  path: path.map((asset) => named('', asset)),
})

/** An account pays only with assets of which it holds enough. */
const pathsOf = (read: LedgerReader, request: PathRequest): ReadonlyArray<PaymentPath> => {
  const { destAmount } = request
  const destAsset = request.destAsset.toXdrObject()
  if (!('payer' in request))
    return read.findPaths({ destAsset, destAmount, sendAssets: request.sendAssets.map((each) => each.toXdrObject()) })
  const { payer } = request
  return read
    .spendable(payer)
    .flatMap(({ asset, amount }) =>
      read
        .findPaths({ destAsset, destAmount, sendAssets: [asset], payer })
        .filter(({ sendAmount }) => sendAmount <= amount),
    )
}

/**
 * Answers `GET /paths/strict-receive` as Horizon does, but with only the cheapest path for each asset. Amounts are
 * exact: unless others trade first, a payment along the path in the next ledger costs `source_amount`.
 * Source: Horizon API reference, "List Strict Receive Payment Paths".
 */
export const answerPaths = (read: LedgerReader, query: URLSearchParams): HttpResponse => {
  const request = pathRequest(query)
  if (E.isLeft(request)) return refusal(request.left)
  const records = pathsOf(read, request.right).map((each) => recordOf(request.right, each))
  return { status: 200, contentType: 'application/hal+json; charset=utf-8', body: { _embedded: { records } } }
}
