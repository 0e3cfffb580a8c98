import type { LedgerSequence } from '../shared/incoming-payment.ts'
import type { Stroops } from '../shared/stroops.ts'

export type PayoutBookRejection =
  /** What was observed is older than a payout of which the money has left since: look again, from this ledger on. */
  | { readonly _tag: 'BalanceOutdated'; readonly paidThrough: LedgerSequence }
  | { readonly _tag: 'BalanceTooLow'; readonly available: Stroops }
  | { readonly _tag: 'TooManyPayouts'; readonly most: number }
