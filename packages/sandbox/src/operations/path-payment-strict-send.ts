import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { payStrictSend } from '../exchange/path-payment.ts'
import { innerResult, type OperationLogic } from './operation.ts'
import { isPathMalformed, nothingPaid, type PathCodes, pathOutcome, routeOf } from './path-operation.ts'

const code = xdr.PathPaymentStrictSendResult
const result = (each: xdr.PathPaymentStrictSendResult) => innerResult(xdr.OperationResultTr.pathPaymentStrictSend(each))
const succeeded = (offers: ReadonlyArray<xdr.ClaimAtom>, last: xdr.SimplePaymentResult) => {
  const success = new xdr.PathPaymentStrictSendResultSuccess({ offers: [...offers], last })
  return result(code.pathPaymentStrictSendSuccess(success))
}
const success = succeeded([], nothingPaid)

const refused: PathCodes = {
  noDestination: result(code.pathPaymentStrictSendNoDestination()),
  noTrust: result(code.pathPaymentStrictSendNoTrust()),
  notAuthorized: result(code.pathPaymentStrictSendNotAuthorized()),
  lineFull: result(code.pathPaymentStrictSendLineFull()),
  sourceNoTrust: result(code.pathPaymentStrictSendSrcNoTrust()),
  sourceNotAuthorized: result(code.pathPaymentStrictSendSrcNotAuthorized()),
  underfunded: result(code.pathPaymentStrictSendUnderfunded()),
  tooFewOffers: result(code.pathPaymentStrictSendTooFewOffers()),
  offerCrossSelf: result(code.pathPaymentStrictSendOfferCrossSelf()),
  limitPassed: result(code.pathPaymentStrictSendUnderDestmin()),
}
const malformed = E.left(result(code.pathPaymentStrictSendMalformed()))

/** Spends an exact amount; the order books decide how much arrives. */
export const pathPaymentStrictSend = (operation: xdr.PathPaymentStrictSendOp): OperationLogic => {
  const { sendAmount, destMin, destAsset: asset } = operation
  return {
    level: 'medium',
    success,
    check: () => (isPathMalformed(operation, sendAmount, destMin) ? malformed : E.right(success)),
    apply: (source, draft) => {
      const route = routeOf(operation, source)
      const { destination } = route
      return pathOutcome(payStrictSend(draft, route, sendAmount, destMin), refused, ({ claims, amount }) =>
        succeeded(claims, new xdr.SimplePaymentResult({ destination, asset, amount })),
      )
    },
  }
}
