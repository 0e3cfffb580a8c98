import { stroopsFromDecimal } from '../amounts.ts'
import { fieldsOf, textIn } from '../fields.ts'
import type { Choice, PageQuote } from '../wire.ts'
import type { Transaction } from './sdk.ts'

/** 0.1 XLM: a hundred times what a payment costs on a quiet network. */
export const highestFeeStroops = 1_000_000

const memoText = (memo: Transaction['memo']): string | null => {
  if (memo.type !== 'text' || memo.value === null) return null
  return typeof memo.value === 'string' ? memo.value : new TextDecoder().decode(memo.value)
}

const sendsAsChosen = (payment: ReturnType<typeof fieldsOf>, { assetId, sendMax }: Choice): boolean => {
  const [most, shown] = [textIn(payment, 'sendMax') ?? '', sendMax].map(stroopsFromDecimal)
  if (most === null || most === undefined || shown === null || shown === undefined) return false
  return String(payment.sendAsset) === assetId && most <= shown
}

/**
 * Why a transaction is not the payment on the page, as a sentence; null when it is: one payment from this wallet to
 * this destination, of the amount due in this asset, with this memo, at an ordinary fee. It is a plain payment, or a
 * path payment that sends at most the shown amount of the chosen asset.
 * The server could have put anything into the transaction, so it is checked before it is signed.
 */
export const paymentProblem = (
  transaction: Transaction,
  payer: string,
  quote: PageQuote,
  choice: Choice | null,
): string | null => {
  const [operation, ...others] = transaction.operations
  if (operation === undefined || others.length > 0) return 'It does something besides the payment.'
  const payment = fieldsOf(operation)
  const exchanged = choice === null || choice.assetId === quote.assetId ? null : choice
  if (operation.type !== (exchanged === null ? 'payment' : 'pathPaymentStrictReceive'))
    return exchanged === null ? 'It is not a plain payment.' : 'It is not a payment through an exchange.'
  const source = payment.source === undefined ? transaction.source : textIn(payment, 'source')
  if (transaction.source !== payer || source !== payer) return 'It pays from another account.'
  if (textIn(payment, 'destination') !== quote.destination) return 'It pays another account.'
  // The library writes assets as SEP-11 does: `native`, or `CODE:ISSUER`.
  if (String(exchanged === null ? payment.asset : payment.destAsset) !== quote.assetId)
    return 'It pays in another asset.'
  const due = stroopsFromDecimal(quote.amountDue)
  if (due === null || stroopsFromDecimal(textIn(payment, exchanged === null ? 'amount' : 'destAmount') ?? '') !== due)
    return 'It pays another amount.'
  if (exchanged !== null && !sendsAsChosen(payment, exchanged))
    return 'It sends something else, or more than was shown.'
  if (memoText(transaction.memo) !== quote.memo) return 'Its memo is not the one of this checkout.'
  if (!(Number(transaction.fee) <= highestFeeStroops)) return 'Its fee is too high.'
  return null
}
