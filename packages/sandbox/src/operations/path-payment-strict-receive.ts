import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { payStrictReceive } from '../exchange/path-payment.ts'
import { innerResult, type OperationLogic } from './operation.ts'
import { isPathMalformed, nothingPaid, type PathCodes, pathOutcome, routeOf } from './path-operation.ts'

const code = xdr.PathPaymentStrictReceiveResult
const result = (each: xdr.PathPaymentStrictReceiveResult) =>
  innerResult(xdr.OperationResultTr.pathPaymentStrictReceive(each))
const succeeded = (offers: ReadonlyArray<xdr.ClaimAtom>, last: xdr.SimplePaymentResult) => {
  const success = new xdr.PathPaymentStrictReceiveResultSuccess({ offers: [...offers], last })
  return result(code.pathPaymentStrictReceiveSuccess(success))
}
const success = succeeded([], nothingPaid)

const refused: PathCodes = {
  noDestination: result(code.pathPaymentStrictReceiveNoDestination()),
  noTrust: result(code.pathPaymentStrictReceiveNoTrust()),
  notAuthorized: result(code.pathPaymentStrictReceiveNotAuthorized()),
  lineFull: result(code.pathPaymentStrictReceiveLineFull()),
  sourceNoTrust: result(code.pathPaymentStrictReceiveSrcNoTrust()),
  sourceNotAuthorized: result(code.pathPaymentStrictReceiveSrcNotAuthorized()),
  underfunded: result(code.pathPaymentStrictReceiveUnderfunded()),
  tooFewOffers: result(code.pathPaymentStrictReceiveTooFewOffers()),
  offerCrossSelf: result(code.pathPaymentStrictReceiveOfferCrossSelf()),
  limitPassed: result(code.pathPaymentStrictReceiveOverSendmax()),
}
const malformed = E.left(result(code.pathPaymentStrictReceiveMalformed()))

/** Delivers an exact amount; the order books decide the cost. */
export const pathPaymentStrictReceive = (operation: xdr.PathPaymentStrictReceiveOp): OperationLogic => {
  const { destAmount, sendMax, destAsset: asset } = operation
  return {
    level: 'medium',
    success,
    check: () => (isPathMalformed(operation, destAmount, sendMax) ? malformed : E.right(success)),
    apply: (source, draft) => {
      const route = routeOf(operation, source)
      const { destination } = route
      return pathOutcome(payStrictReceive(draft, route, destAmount, sendMax), refused, ({ claims }) =>
        succeeded(claims, new xdr.SimplePaymentResult({ destination, asset, amount: destAmount })),
      )
    },
  }
}
