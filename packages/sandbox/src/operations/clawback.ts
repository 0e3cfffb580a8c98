import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { isCodeValid, issuedAsset } from '../ledger/assets.ts'
import { add, spendable } from '../ledger/holdings.ts'
import { clawbackFlag, findTrustline, isIssuer } from '../ledger/trustlines.ts'
import { accountIdOf, innerResult, type OperationLogic, type OperationOutcome } from './operation.ts'

const result = (code: xdr.ClawbackResult) => innerResult(xdr.OperationResultTr.clawback(code))
const refused = (code: xdr.ClawbackResult) => E.left(result(code))
const success = result(xdr.ClawbackResult.clawbackSuccess())
const done: OperationOutcome = E.right(success)

/** An issuer takes back what a holder could spend, whether the holder is authorised or not; it ceases to exist. */
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
