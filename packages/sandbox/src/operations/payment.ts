import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { availableBalance, findAccount, int64Max, requireAccount, saveAccount } from '../ledger/accounts.ts'
import { type IssuedAsset, isCodeValid, issuedAsset } from '../ledger/assets.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { findTrustline, isIssuer, isLineAuthorized, saveTrustline } from '../ledger/trustlines.ts'
import { accountIdOf, innerResult, type OperationLogic, type OperationOutcome } from './operation.ts'

const result = (code: xdr.PaymentResult) => innerResult(xdr.OperationResultTr.payment(code))
const refused = (code: xdr.PaymentResult) => E.left(result(code))
const success = result(xdr.PaymentResult.paymentSuccess())
const done: OperationOutcome = E.right(success)

const payNative = (draft: LedgerDraft, source: xdr.PublicKey, destination: xdr.PublicKey, amount: bigint) => {
  if (source.equals(destination)) return done
  const payee = findAccount(draft, destination)
  if (payee === undefined) return refused(xdr.PaymentResult.paymentNoDestination())
  if (payee.balance + amount > int64Max) return refused(xdr.PaymentResult.paymentLineFull())
  const payer = requireAccount(draft, source)
  if (availableBalance(payer) < amount) return refused(xdr.PaymentResult.paymentUnderfunded())
  saveAccount(draft, payer, { balance: payer.balance - amount })
  saveAccount(draft, payee, { balance: payee.balance + amount })
  return done
}

const credit = (draft: LedgerDraft, payee: xdr.PublicKey, asset: IssuedAsset, amount: bigint) => {
  if (isIssuer(payee, asset)) return done
  const line = findTrustline(draft, payee, asset)
  if (line === undefined) return refused(xdr.PaymentResult.paymentNoTrust())
  if (!isLineAuthorized(line)) return refused(xdr.PaymentResult.paymentNotAuthorized())
  if (line.balance + amount > line.limit) return refused(xdr.PaymentResult.paymentLineFull())
  saveTrustline(draft, line, { balance: line.balance + amount })
  return done
}

const debit = (draft: LedgerDraft, payer: xdr.PublicKey, asset: IssuedAsset, amount: bigint) => {
  if (isIssuer(payer, asset)) return done
  const line = findTrustline(draft, payer, asset)
  if (line === undefined) return refused(xdr.PaymentResult.paymentSrcNoTrust())
  if (!isLineAuthorized(line)) return refused(xdr.PaymentResult.paymentSrcNotAuthorized())
  if (line.balance < amount) return refused(xdr.PaymentResult.paymentUnderfunded())
  saveTrustline(draft, line, { balance: line.balance - amount })
  return done
}

/** The receiving side is settled first: that decides which code is given when both sides are at fault. */
export const payment = ({ destination, asset, amount }: xdr.PaymentOp): OperationLogic => {
  const payee = accountIdOf(destination)
  const issued = issuedAsset(asset)
  return {
    level: 'medium',
    success,
    check: () =>
      amount <= 0n || (issued !== undefined && !isCodeValid(issued))
        ? refused(xdr.PaymentResult.paymentMalformed())
        : done,
    apply: (source, draft) => {
      if (issued === undefined) return payNative(draft, source, payee, amount)
      if (!isIssuer(payee, issued) && findAccount(draft, payee) === undefined)
        return refused(xdr.PaymentResult.paymentNoDestination())
      const credited = credit(draft, payee, issued, amount)
      return E.isLeft(credited) ? credited : debit(draft, source, issued, amount)
    },
  }
}
