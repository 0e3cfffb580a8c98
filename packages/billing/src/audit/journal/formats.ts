import { type JournalAccount, journalAccounts } from './accounts.ts'
import { type Commodity, commodityKey, type EntryKind, type JournalEntry, type Posting } from './entry.ts'

/** A way to write the journal as text: what stands before, between and after its entries, and each entry. */
export type JournalFormat = {
  readonly head: string
  readonly entry: (entry: JournalEntry) => string
  readonly between: string
  readonly end: string
}

/** A posting as JSON: `amount` in units of the asset or of the currency, more than nothing for a debit. */
type PostingJson = { readonly account: string; readonly commodity: string; readonly amount: string }

/** An entry as JSON. `at` is an ISO time; `revision` is the event's place in its stream. */
type JournalEntryJson = {
  readonly at: string
  readonly kind: EntryKind
  readonly subject: string
  readonly transaction_hash: string | null
  readonly event: { readonly id: string; readonly type: string; readonly stream: string; readonly revision: number }
  readonly postings: ReadonlyArray<PostingJson>
}

/** The native asset goes by its code. */
const nameOf = (commodity: Commodity): string =>
  commodity._tag === 'asset' && commodity.assetId === 'native' ? 'XLM' : commodityKey(commodity)

const decimals = (commodity: Commodity): number => {
  switch (commodity._tag) {
    case 'asset':
      return 7
    case 'fiat':
      return 2
  }
}

/** With all decimals of the commodity, so that columns align. Sums may exceed what one account can hold. */
export const amountOf = ({ commodity, amount }: Posting): string => {
  const places = decimals(commodity)
  const digits = (amount < 0n ? -amount : amount).toString().padStart(places + 1, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

export const accountName = (account: JournalAccount): string => journalAccounts[account]

const journalEntryJson = ({ at, kind, subject, transactionHash, event, postings }: JournalEntry): JournalEntryJson => ({
  at: new Date(at).toISOString(),
  kind,
  subject,
  transaction_hash: transactionHash,
  event: { id: event.id, type: event.type, stream: event.stream, revision: Number(event.revision) },
  postings: postings.map((posting) => ({
    account: accountName(posting.account),
    commodity: nameOf(posting.commodity),
    amount: amountOf(posting),
  })),
})

const columns = ['at', 'merchant_id', 'kind', 'subject', 'transaction_hash', 'event_id', 'event', 'stream', 'revision']

/** RFC 4180, a line for each posting. Nothing in it is text of a person. */
const csv: JournalFormat = {
  head: `${[...columns, 'account', 'amount', 'commodity'].join(',')}\r\n`,
  entry: ({ at, merchantId, kind, subject, transactionHash, event, postings }) => {
    const { id, type, stream, revision } = event
    const entry = [
      new Date(at).toISOString(),
      merchantId,
      kind,
      subject,
      transactionHash ?? '',
      id,
      type,
      stream,
      revision,
    ]
    return postings
      .map((posting) =>
        [...entry, accountName(posting.account), amountOf(posting), nameOf(posting.commodity)].join(','),
      )
      .join('\r\n')
  },
  between: '\r\n',
  end: '\r\n',
}

/** Plain-text accounting, as hledger and Ledger read it. */
const ledger: JournalFormat = {
  head: '',
  entry: ({ at, kind, subject, transactionHash, event, postings }) => {
    const time = new Date(at).toISOString()
    return [
      `${time.slice(0, 10)} * ${kind.replaceAll('_', ' ')} ${subject}`,
      `    ; time: ${time}`,
      `    ; event: ${event.id} ${event.type} ${event.stream}@${event.revision}`,
      ...(transactionHash === null ? [] : [`    ; transaction: ${transactionHash}`]),
      ...postings.map(
        (posting) => `    ${accountName(posting.account)}  ${amountOf(posting)} "${nameOf(posting.commodity)}"`,
      ),
    ].join('\n')
  },
  between: '\n\n',
  end: '\n',
}

const json: JournalFormat = {
  head: '[\n',
  entry: (entry) => JSON.stringify(journalEntryJson(entry)),
  between: ',\n',
  end: '\n]\n',
}

/** The forms of a journal: CSV, the plain text of Ledger and hledger, and JSON. */
export const journalFormats = { csv, ledger, json } as const
