import { xdr } from '@stellar/stellar-sdk'
import { findAccount } from '../ledger/accounts.ts'
import { isAssetValid, issuedAsset } from '../ledger/assets.ts'
import { credit, debit } from '../ledger/transfers.ts'
import { isIssuer } from '../ledger/trustlines.ts'
import { accountIdOf, type OperationLogic, resultsOf } from './operation.ts'

const { success, done, refused } = resultsOf(xdr.OperationResultTr.payment, xdr.PaymentResult.paymentSuccess())

const creditCodes = {
  noTrust: xdr.PaymentResult.paymentNoTrust(),
  notAuthorized: xdr.PaymentResult.paymentNotAuthorized(),
  lineFull: xdr.PaymentResult.paymentLineFull(),
}

const debitCodes = {
  noTrust: xdr.PaymentResult.paymentSrcNoTrust(),
  notAuthorized: xdr.PaymentResult.paymentSrcNotAuthorized(),
  underfunded: xdr.PaymentResult.paymentUnderfunded(),
}

/** Credits before it debits, which decides the code when both sides fail. */
export const payment = ({ destination, asset, amount }: xdr.PaymentOp): OperationLogic => {
  const payee = accountIdOf(destination)
  const issued = issuedAsset(asset)
  return {
    level: 'medium',
    success,
    check: () => (amount <= 0n || !isAssetValid(asset) ? refused(xdr.PaymentResult.paymentMalformed()) : done),
    apply: (source, draft) => {
      if (issued === undefined && source.equals(payee)) return done
      const isReturned = issued !== undefined && isIssuer(payee, issued)
      if (!isReturned && findAccount(draft, payee) === undefined)
        return refused(xdr.PaymentResult.paymentNoDestination())
      const uncredited = credit(draft, payee, asset, amount)
      if (uncredited !== undefined) return refused(creditCodes[uncredited])
      const undebited = debit(draft, source, asset, amount)
      return undebited === undefined ? done : refused(debitCodes[undebited])
    },
  }
}
