import type { AssetId, CurrencyCode, LedgerSequence, UnixMs } from '@quittance/domain'
import type { JournalAccount } from './accounts.ts'

/** What is counted: stroops of an asset, or hundredths of a currency. */
export type Commodity =
  | { readonly _tag: 'asset'; readonly assetId: AssetId }
  | { readonly _tag: 'fiat'; readonly currency: CurrencyCode }

/** A change of one account. What is debited is more than nothing, what is credited less. */
export type Posting = { readonly account: JournalAccount; readonly commodity: Commodity; readonly amount: bigint }

/** Why there is an entry. */
export type EntryKind =
  | 'account_opened'
  | 'books_closed'
  | 'payment_received'
  | 'payment_confirmed'
  | 'payment_returned'
  | 'exception_opened'
  | 'exception_kept'
  | 'exception_applied'
  | 'refund'
  | 'return'
  | 'payout'
  | 'network_fee'
  | 'funding'
  | 'own_movement'
  | 'unexplained'

/**
 * What one event does to a merchant's accounts. `at` is when it counts: the close time of the ledger that moved the money, or
 * when it was decided. `subject` is the id of the payment, exception, refund, payout, return or funding, the account that
 * was opened, or the hash of the transaction that cost a fee. `transactionHash` and `ledger` are those that moved the money that it is
 * about.
 */
export type Booking = {
  readonly kind: EntryKind
  readonly at: UnixMs
  readonly subject: string
  readonly transactionHash: string | null
  readonly ledger: LedgerSequence | null
  readonly postings: ReadonlyArray<Posting>
}

/** The event that an entry books, by its place in the log. */
export type EntryEvent = {
  readonly id: string
  readonly type: string
  readonly stream: string
  readonly revision: bigint
  readonly position: bigint
}

/** An entry of a merchant's journal: its postings add up to nothing in each asset and each currency. */
export type JournalEntry = Booking & { readonly merchantId: string; readonly event: EntryEvent }

/** Moves an amount from one account to another; nothing for an amount of nothing. */
export const transfer = (
  debited: JournalAccount,
  credited: JournalAccount,
  commodity: Commodity,
  amount: bigint,
): ReadonlyArray<Posting> =>
  amount === 0n
    ? []
    : [
        { account: debited, commodity, amount },
        { account: credited, commodity, amount: -amount },
      ]

export const asset = (assetId: AssetId): Commodity => ({ _tag: 'asset', assetId })

export const fiat = (currency: CurrencyCode): Commodity => ({ _tag: 'fiat', currency })

/** A name that no other commodity has. */
export const commodityKey = (commodity: Commodity): string =>
  commodity._tag === 'asset' ? commodity.assetId : commodity.currency
