import { xdr } from '@stellar/stellar-sdk'
import { issuedAsset } from '../ledger/assets.ts'
import { findClaimableBalance, isClawbackEnabled } from '../ledger/claimable-balances.ts'
import { claimableBalanceKey } from '../ledger/entry-keys.ts'
import { removeEntry } from '../ledger/sponsorship.ts'
import { isIssuer } from '../ledger/trustlines.ts'
import { type OperationLogic, resultsOf } from './operation.ts'

const code = xdr.ClawbackClaimableBalanceResult
const { success, done, refused } = resultsOf(
  xdr.OperationResultTr.clawbackClaimableBalance,
  code.clawbackClaimableBalanceSuccess(),
)

/** The balance that is clawed back ceases to exist. */
export const clawbackClaimableBalance = ({ balanceId }: xdr.ClawbackClaimableBalanceOp): OperationLogic => ({
  level: 'medium',
  success,
  check: () => done,
  apply: (source, draft) => {
    const balance = findClaimableBalance(draft, balanceId)
    if (balance === undefined) return refused(code.clawbackClaimableBalanceDoesNotExist())
    const issued = issuedAsset(balance.asset)
    if (issued === undefined || !isIssuer(source, issued)) return refused(code.clawbackClaimableBalanceNotIssuer())
    if (!isClawbackEnabled(balance)) return refused(code.clawbackClaimableBalanceNotClawbackEnabled())
    removeEntry(draft, claimableBalanceKey(balanceId))
    return done
  },
})
