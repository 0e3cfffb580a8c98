import * as t from 'io-ts'
import { orNull, says } from './codecs.ts'
import { assetId, objectOf, transactionHash } from './fields.ts'
import { count, oneOf, such, timestamp } from './values.ts'

/** A decimal with all decimals of its asset or currency, and a sign if it is less than nothing. */
const signedDecimal = such(t.string, (input) => /^-?\d+\.\d+$/.test(input), 'a decimal, such as -12.50', {
  type: 'string',
  pattern: '^-?\\d+\\.\\d+$',
  examples: ['-12.50'],
})

const JournalPosting = t.type(
  {
    account: says('The account, such as `Income:Sales`.', t.string),
    asset_id: says('The asset that is counted; null for a currency.', orNull(assetId)),
    currency: says('The currency that is counted, by ISO 4217; null for an asset.', orNull(t.string)),
    amount: says('In units of it: more than nothing for a debit, less for a credit.', signedDecimal),
  },
  'JournalPosting',
)

/** An entry of the journal: what one event does to the merchant's accounts. It balances in each asset and currency. */
export const JournalEntry = t.type(
  {
    id: says('The id of the event in the log.', t.string),
    object: objectOf('journal_entry'),
    kind: says(
      'Why there is an entry.',
      oneOf(
        'account_opened',
        'books_closed',
        'payment_received',
        'payment_confirmed',
        'payment_returned',
        'exception_opened',
        'exception_kept',
        'exception_applied',
        'refund',
        'return',
        'payout',
        'network_fee',
        'funding',
        'own_movement',
        'unexplained',
      ),
    ),
    at: says('When it counts: when the ledger closed that moved the money, or when it was decided.', timestamp),
    subject: says(
      'The id of the payment, exception, refund, payout, return or funding; the account that was opened; or the transaction that cost a fee.',
      t.string,
    ),
    transaction_hash: says('The transaction on the ledger that moved the money.', orNull(transactionHash)),
    ledger: says('The sequence of the ledger that holds it.', orNull(count)),
    event: says(
      'The event that it books.',
      t.type(
        {
          type: says('Its type in the log.', t.string),
          stream: says('The stream that it is in.', t.string),
          revision: says('Its place in that stream, from 0.', count),
        },
        'JournalEvent',
      ),
    ),
    postings: says('What it debits and credits.', t.readonlyArray(JournalPosting)),
  },
  'JournalEntry',
)
export type JournalEntry = t.TypeOf<typeof JournalEntry>

/** A page of the journal, oldest first. */
export const JournalPage = t.type(
  {
    object: objectOf('list'),
    data: says('The entries of this page. There may be none before the last page.', t.readonlyArray(JournalEntry)),
    has_more: says('Whether the log goes on behind this page.', t.boolean),
    next: says('The `starting_after` of the next page; null at the end of the log.', orNull(t.string)),
    url: says('The path of the journal.', t.string),
  },
  'JournalPage',
)
export type JournalPage = t.TypeOf<typeof JournalPage>
