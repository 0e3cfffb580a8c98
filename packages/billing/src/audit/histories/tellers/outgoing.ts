import type { LedgerSequence, TransactionHash } from '@quittance/domain'
import type { Origin, Told } from '../told.ts'
import { inWords } from '../words.ts'
import { intentEnds } from './intent.ts'

type Amount = NonNullable<Told['amount']> | null

/** Money that a closed ledger has moved to whom it was for: a refund, or a payout. */
export const paidOut = (
  what: string,
  id: string,
  amount: Amount,
  { transactionHash, ledger }: { readonly transactionHash: TransactionHash; readonly ledger: LedgerSequence },
): Told => ({
  what,
  why: 'a closed ledger holds it',
  amount,
  transactionHash,
  ledger,
  follows: [intentEnds(id)],
  root: 'ledger',
})

/** Money that went nowhere, after it was requested. */
export const notPaidOut = (
  what: string,
  id: string,
  amount: Amount,
  { reason, code }: { readonly reason: string; readonly code: string | null },
  requested: Origin,
): Told => ({
  what: `${what} failed; nothing was paid`,
  why: `${inWords(reason)}${code === null ? '' : ` (${code})`}`,
  amount,
  follows: [intentEnds(id), requested],
})
