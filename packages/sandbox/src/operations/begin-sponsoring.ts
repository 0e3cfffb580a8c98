import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { beginPledge, isSponsoringNow, pledgedTo } from '../ledger/sponsorship.ts'
import { innerResult, type OperationLogic, type OperationOutcome } from './operation.ts'

const code = xdr.BeginSponsoringFutureReservesResult
const result = (each: xdr.BeginSponsoringFutureReservesResult) =>
  innerResult(xdr.OperationResultTr.beginSponsoringFutureReserves(each))
const refused = (each: xdr.BeginSponsoringFutureReservesResult) => E.left(result(each))
const success = result(code.beginSponsoringFutureReservesSuccess())
const done: OperationOutcome = E.right(success)

/** Nobody sponsors who is sponsored, or is sponsored who sponsors: there is always one payer, found in one step. */
export const beginSponsoring = ({ sponsoredId }: xdr.BeginSponsoringFutureReservesOp): OperationLogic => ({
  level: 'medium',
  success,
  check: (source) => (sponsoredId.equals(source) ? refused(code.beginSponsoringFutureReservesMalformed()) : done),
  apply: (source, { pledges }) => {
    if (pledgedTo(pledges, sponsoredId) !== undefined)
      return refused(code.beginSponsoringFutureReservesAlreadySponsored())
    if (pledgedTo(pledges, source) !== undefined || isSponsoringNow(pledges, sponsoredId))
      return refused(code.beginSponsoringFutureReservesRecursive())
    beginPledge(pledges, sponsoredId, source)
    return done
  },
})
