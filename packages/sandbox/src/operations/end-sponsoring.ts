import { xdr } from '@stellar/stellar-sdk'
import { endPledge } from '../ledger/sponsorship.ts'
import { type OperationLogic, resultsOf } from './operation.ts'

const code = xdr.EndSponsoringFutureReservesResult
const { success, done, refused } = resultsOf(
  xdr.OperationResultTr.endSponsoringFutureReserves,
  code.endSponsoringFutureReservesSuccess(),
)

/** The sponsored account itself ends the sponsorship: its signature is its consent. */
export const endSponsoring: OperationLogic = {
  level: 'medium',
  success,
  check: () => done,
  apply: (source, { pledges }) =>
    endPledge(pledges, source) ? done : refused(code.endSponsoringFutureReservesNotSponsored()),
}
