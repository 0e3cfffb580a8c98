import { xdr } from '@stellar/stellar-sdk'
import { isCodeValid, issuedAsset } from '../ledger/assets.ts'
import { add, spendable } from '../ledger/holdings.ts'
import { clawbackFlag, findTrustline, isIssuer } from '../ledger/trustlines.ts'
import { accountIdOf, type OperationLogic, resultsOf } from './operation.ts'

const { success, done, refused } = resultsOf(xdr.OperationResultTr.clawback, xdr.ClawbackResult.clawbackSuccess())

/** An issuer takes back a spendable amount, even from a deauthorized holder; it ceases to exist. */
export const clawback = ({ asset, from, amount }: xdr.ClawbackOp): OperationLogic => {
  const issued = issuedAsset(asset)
  return {
    level: 'medium',
    success,
    check: (source) => {
      const isOwn = from.type === 'keyTypeEd25519' && accountIdOf(from).equals(source)
      const isMalformed = isOwn || amount < 1n || issued === undefined || !isCodeValid(issued)
      return isMalformed || !isIssuer(source, issued) ? refused(xdr.ClawbackResult.clawbackMalformed()) : done
    },
    apply: (_source, draft) => {
      const line = issued && findTrustline(draft, accountIdOf(from), issued)
      if (line === undefined) return refused(xdr.ClawbackResult.clawbackNoTrust())
      if ((line.flags & clawbackFlag) === 0) return refused(xdr.ClawbackResult.clawbackNotClawbackEnabled())
      const holding = { kind: 'line', line } as const
      if (spendable(holding) < amount) return refused(xdr.ClawbackResult.clawbackUnderfunded())
      add(draft, holding, -amount)
      return done
    },
  }
}
