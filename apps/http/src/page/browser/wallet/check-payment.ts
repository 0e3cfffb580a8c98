import { stroopsFromDecimal } from '../amounts.ts'
import { fieldsOf, textIn } from '../fields.ts'
import type { Choice, PageQuote } from '../wire.ts'
import type { Transaction } from './sdk.ts'
import { walletWords } from './wallet-words.ts'

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
  if (operation === undefined || others.length > 0) return walletWords.problems.besidesPayment
  const payment = fieldsOf(operation)
  const exchanged = choice === null || choice.assetId === quote.assetId ? null : choice
  if (operation.type !== (exchanged === null ? 'payment' : 'pathPaymentStrictReceive'))
    return exchanged === null ? walletWords.problems.notPayment : walletWords.problems.notExchange
  const source = payment.source === undefined ? transaction.source : textIn(payment, 'source')
  if (transaction.source !== payer || source !== payer) return walletWords.problems.fromOther
  if (textIn(payment, 'destination') !== quote.destination) return walletWords.problems.toOther
  // The library writes assets as SEP-11 does: `native`, or `CODE:ISSUER`.
  if (String(exchanged === null ? payment.asset : payment.destAsset) !== quote.assetId)
    return walletWords.problems.otherAsset
  const due = stroopsFromDecimal(quote.amountDue)
  if (due === null || stroopsFromDecimal(textIn(payment, exchanged === null ? 'amount' : 'destAmount') ?? '') !== due)
    return walletWords.problems.otherAmount
  if (exchanged !== null && !sendsAsChosen(payment, exchanged)) return walletWords.problems.sendsMore
  if (memoText(transaction.memo) !== quote.memo) return walletWords.problems.otherMemo
  if (!(Number(transaction.fee) <= highestFeeStroops)) return walletWords.problems.highFee
  return null
}
