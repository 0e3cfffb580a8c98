import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { holds } from '../ledger/claim-predicates.ts'
import { findClaimableBalance } from '../ledger/claimable-balances.ts'
import { claimableBalanceKey } from '../ledger/entry-keys.ts'
import { removeEntry } from '../ledger/sponsorship.ts'
import { credit } from '../ledger/transfers.ts'
import { innerResult, type OperationLogic, type OperationOutcome } from './operation.ts'

const code = xdr.ClaimClaimableBalanceResult
const result = (each: xdr.ClaimClaimableBalanceResult) => innerResult(xdr.OperationResultTr.claimClaimableBalance(each))
const refused = (each: xdr.ClaimClaimableBalanceResult) => E.left(result(each))
const success = result(code.claimClaimableBalanceSuccess())
const done: OperationOutcome = E.right(success)

const creditCodes = {
  noTrust: code.claimClaimableBalanceNoTrust(),
  notAuthorized: code.claimClaimableBalanceNotAuthorized(),
  lineFull: code.claimClaimableBalanceLineFull(),
}

/** Claimed whole and once, by the first of its claimants whose predicate holds. */
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
