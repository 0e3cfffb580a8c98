import { xdr } from '@stellar/stellar-sdk'
import { holds } from '../ledger/claim-predicates.ts'
import { findClaimableBalance } from '../ledger/claimable-balances.ts'
import { claimableBalanceKey } from '../ledger/entry-keys.ts'
import { removeEntry } from '../ledger/sponsorship.ts'
import { credit } from '../ledger/transfers.ts'
import { type OperationLogic, resultsOf } from './operation.ts'

const code = xdr.ClaimClaimableBalanceResult
const { success, done, refused } = resultsOf(
  xdr.OperationResultTr.claimClaimableBalance,
  code.claimClaimableBalanceSuccess(),
)

const creditCodes = {
  noTrust: code.claimClaimableBalanceNoTrust(),
  notAuthorized: code.claimClaimableBalanceNotAuthorized(),
  lineFull: code.claimClaimableBalanceLineFull(),
}

/** The first claimant whose predicate holds claims the whole balance. */
export const claimClaimableBalance = ({ balanceId }: xdr.ClaimClaimableBalanceOp): OperationLogic => ({
  level: 'low',
  success,
  check: () => done,
  apply: (source, draft) => {
    const balance = findClaimableBalance(draft, balanceId)
    if (balance === undefined) return refused(code.claimClaimableBalanceDoesNotExist())
    const claimant = balance.claimants.find(({ v0 }) => v0.destination.equals(source))
    if (claimant === undefined || !holds(claimant.v0.predicate, draft.ledger.closeTime))
      return refused(code.claimClaimableBalanceCannotClaim())
    const uncredited = credit(draft, source, balance.asset, balance.amount)
    if (uncredited !== undefined) return refused(creditCodes[uncredited])
    removeEntry(draft, claimableBalanceKey(balanceId))
    return done
  },
})
