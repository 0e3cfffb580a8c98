import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { PathExchange, PathProblem, Route } from '../exchange/path-payment.ts'
import { isAssetValid } from '../ledger/assets.ts'
import { noAccount } from './no-account.ts'
import { accountIdOf, type OperationOutcome } from './operation.ts'

/** The result codes of one operation. */
export type PathCodes = Readonly<Record<PathProblem, xdr.OperationResult>>

type PathOperation = {
  readonly destination: xdr.MuxedAccount
  readonly sendAsset: xdr.Asset
  readonly path: ReadonlyArray<xdr.Asset>
  readonly destAsset: xdr.Asset
}

export const routeOf = (operation: PathOperation, source: xdr.PublicKey): Route => ({
  ...operation,
  source,
  destination: accountIdOf(operation.destination),
})

export const isPathMalformed = ({ sendAsset, path, destAsset }: PathOperation, ...amounts: ReadonlyArray<bigint>) =>
  amounts.some((amount) => amount <= 0n) || ![sendAsset, destAsset, ...path].every(isAssetValid)

/** The success of an operation that has not run: an empty payment to no account. */
export const nothingPaid = new xdr.SimplePaymentResult({
  destination: noAccount,
  asset: xdr.Asset.assetTypeNative(),
  amount: 0n,
})

export const pathOutcome = (
  paid: E.Either<PathProblem | 'tooManyOffers', PathExchange>,
  refused: PathCodes,
  success: (exchange: PathExchange) => xdr.OperationResult,
): OperationOutcome => {
  if (E.isRight(paid)) return E.right(success(paid.right))
  return E.left(paid.left === 'tooManyOffers' ? xdr.OperationResult.opExceededWorkLimit() : refused[paid.left])
}
