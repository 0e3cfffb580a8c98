import { xdr } from '@stellar/stellar-sdk'
import { beginPledge, isSponsoringNow, pledgedTo } from '../ledger/sponsorship.ts'
import { type OperationLogic, resultsOf } from './operation.ts'

const code = xdr.BeginSponsoringFutureReservesResult
const { success, done, refused } = resultsOf(
  xdr.OperationResultTr.beginSponsoringFutureReserves,
  code.beginSponsoringFutureReservesSuccess(),
)

/** Rejects chains: a sponsored account cannot sponsor, and a sponsor cannot be sponsored. */
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
