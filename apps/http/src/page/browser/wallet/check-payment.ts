import { stroopsFromDecimal } from '../amounts.ts'
import { fieldsOf, type PageQuote, textIn } from '../wire.ts'
import type { Transaction } from './sdk.ts'

/** 0.1 XLM: a hundred times what a payment costs on a quiet network. */
const MAX_FEE_STROOPS = 1_000_000

const memoText = (memo: Transaction['memo']): string | null => {
  if (memo.type !== 'text' || memo.value === null) return null
  return typeof memo.value === 'string' ? memo.value : new TextDecoder().decode(memo.value)
}

/**
 * Why a transaction is not the payment the page shows, as a sentence; null when it is exactly that: one plain payment
 * from this wallet, to this destination, of the amount due in this asset, with this memo, at an ordinary fee.
 * Whoever answered with the transaction could have put anything into it, so it is read before it is signed.
 */
export const paymentProblem = (transaction: Transaction, payer: string, quote: PageQuote): string | null => {
  const [operation, ...others] = transaction.operations
  if (operation === undefined || others.length > 0) return 'It does something besides the payment.'
  if (operation.type !== 'payment') return 'It is not a plain payment.'
  const payment = fieldsOf(operation)
  const source = payment.source === undefined ? transaction.source : textIn(payment, 'source')
  if (transaction.source !== payer || source !== payer) return 'It pays from another account.'
  if (textIn(payment, 'destination') !== quote.destination) return 'It pays another account.'
  // The library writes an asset as SEP-11 does: `native`, or `CODE:ISSUER`.
  if (String(payment.asset) !== quote.assetId) return 'It pays in another asset.'
  const due = stroopsFromDecimal(quote.amountDue)
  if (due === null || stroopsFromDecimal(textIn(payment, 'amount') ?? '') !== due) return 'It pays another amount.'
  if (memoText(transaction.memo) !== quote.memo) return 'Its memo is not the one of this checkout.'
  if (!(Number(transaction.fee) <= MAX_FEE_STROOPS)) return 'Its fee is too high.'
  return null
}
