import { Refused } from '../api.ts'
import { fieldsOf, textIn } from '../fields.ts'
import { changeNote, isSameMandate, type Mandate, readMandate } from '../mandate.ts'
import { words } from '../script-words.ts'
import type { Choice, PageQuote } from '../wire.ts'
import { mandateProblem } from './check-mandate.ts'
import { paymentProblem } from './check-payment.ts'
import type { StellarSdk, Transaction } from './sdk.ts'
import { walletWords } from './wallet-words.ts'

/** What the payer has seen and chosen. */
export type Seen = {
  readonly sdk: StellarSdk
  readonly networkPassphrase: string
  readonly quote: PageQuote
  /** What to send instead of the asset that is asked for; null for that one. */
  readonly choice: Choice | null
  /** The mandate that the page shows for this very wallet, once it has been asked; null before. */
  readonly agreed: Mandate | null
}

/** The wallet that signs changes the mandate that was shown: the payer has to see this one before. */
export class OtherMandate extends Error {
  override readonly name = 'OtherMandate'
  readonly mandate: Mandate
  constructor(shown: Mandate, mandate: Mandate) {
    super(changeNote(words, shown, mandate))
    this.mandate = mandate
  }
}

const payments: ReadonlyArray<string | null> = ['payment', 'path_payment']

const readTransaction = ({ sdk, networkPassphrase, quote }: Seen, answer: unknown): Transaction => {
  const fields = fieldsOf(answer)
  const kind = textIn(fields, 'kind')
  if (quote.mandate === null ? !payments.includes(kind) : kind !== 'mandate')
    throw new Refused(walletWords.problems.otherKind)
  return plainTransaction(sdk, networkPassphrase, fields)
}

/** The transaction in an answer. Rejects one for another network. */
export const plainTransaction = (
  sdk: StellarSdk,
  networkPassphrase: string,
  fields: ReturnType<typeof fieldsOf>,
): Transaction => {
  if (textIn(fields, 'network_passphrase') !== networkPassphrase) {
    throw new Refused(walletWords.problems.otherNetwork)
  }
  const transaction = sdk.TransactionBuilder.fromXdr(textIn(fields, 'transaction_xdr') ?? '', networkPassphrase)
  if ('innerTransaction' in transaction) throw new Refused(walletWords.problems.notPlain)
  return transaction
}

const problemOf = (seen: Seen, transaction: Transaction, payer: string, answer: unknown): string | null => {
  const { sdk, networkPassphrase, quote, choice, agreed } = seen
  if (quote.mandate === null) return paymentProblem(transaction, payer, quote, choice)
  const mandate = readMandate(fieldsOf(answer).mandate)
  if (mandate === null) return walletWords.problems.untold
  const shown = agreed ?? quote.mandate
  if (!isSameMandate(shown, mandate)) throw new OtherMandate(shown, mandate)
  return mandateProblem(sdk, transaction, payer, quote, mandate, networkPassphrase)
}

/**
 * The transaction that the service answered, once it is exactly what the page shows. Rejects with `Refused` otherwise, and
 * with `OtherMandate`.
 */
export const checkedTransaction = (seen: Seen, payer: string, answer: unknown): Transaction => {
  const transaction = readTransaction(seen, answer)
  const problem = problemOf(seen, transaction, payer, answer)
  if (problem !== null) throw new Refused(walletWords.problems.notSigned(problem))
  return transaction
}
