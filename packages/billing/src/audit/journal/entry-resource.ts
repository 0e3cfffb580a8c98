import type { EntryKind, JournalEntry } from './entry.ts'
import { accountName, amountOf } from './formats.ts'

/**
 * A posting as callers see it: of an asset or of a currency, the other one being null. `amount` is in units of it, with all
 * decimals, more than nothing for a debit.
 */
type PostingResource = {
  readonly account: string
  readonly asset_id: string | null
  readonly currency: string | null
  readonly amount: string
}

/** An entry of the journal as callers see it. Its `id` is that of the event that it books; `at` is an ISO time. */
export type JournalEntryResource = {
  readonly id: string
  readonly object: 'journal_entry'
  readonly kind: EntryKind
  readonly at: string
  readonly subject: string
  readonly transaction_hash: string | null
  readonly ledger: number | null
  readonly event: { readonly type: string; readonly stream: string; readonly revision: number }
  readonly postings: ReadonlyArray<PostingResource>
}

/** An entry as the API shows it: times in ISO 8601, signed amounts as decimal texts. */
export const journalEntryResource = (entry: JournalEntry): JournalEntryResource => {
  const { kind, at, subject, transactionHash, ledger, event, postings } = entry
  return {
    id: event.id,
    object: 'journal_entry',
    kind,
    at: new Date(at).toISOString(),
    subject,
    transaction_hash: transactionHash,
    ledger,
    event: { type: event.type, stream: event.stream, revision: Number(event.revision) },
    postings: postings.map((posting) => ({
      account: accountName(posting.account),
      asset_id: posting.commodity._tag === 'asset' ? posting.commodity.assetId : null,
      currency: posting.commodity._tag === 'fiat' ? posting.commodity.currency : null,
      amount: amountOf(posting),
    })),
  }
}
