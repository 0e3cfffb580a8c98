import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { endPledge } from '../ledger/sponsorship.ts'
import { innerResult, type OperationLogic } from './operation.ts'

const code = xdr.EndSponsoringFutureReservesResult
const result = (each: xdr.EndSponsoringFutureReservesResult) =>
  innerResult(xdr.OperationResultTr.endSponsoringFutureReserves(each))
const success = result(code.endSponsoringFutureReservesSuccess())

/** Only the sponsored account itself ends it: its signature is its consent. */
export const endSponsoring: OperationLogic = {
  level: 'medium',
  success,
  check: () => E.right(success),
  apply: (source, { pledges }) =>
    endPledge(pledges, source) ? E.right(success) : E.left(result(code.endSponsoringFutureReservesNotSponsored())),
}
