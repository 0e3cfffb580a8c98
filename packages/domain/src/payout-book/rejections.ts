import type { LedgerSequence } from '../shared/incoming-payment.ts'
import type { Stroops } from '../shared/stroops.ts'

/** Why a command about a merchant's schedules of payouts is refused, with the facts that explain it. */
export type PayoutBookRejection =
  /** What was observed is older than a payout of which the money has left since: look again, from this ledger on. */
  | { readonly _tag: 'BalanceOutdated'; readonly paidThrough: LedgerSequence }
  | { readonly _tag: 'BalanceTooLow'; readonly available: Stroops }
  | { readonly _tag: 'TooManyPayouts'; readonly most: number }
