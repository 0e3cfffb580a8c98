import {
  Credits,
  CreditTransactionId,
  MetadataText,
  PaymentId,
  periodOf,
  type RecordedEvent,
  Units,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** One period of an account's books; `account` is `cus_…/prod_…`. */
export const CreditBooksRow = t.strict({ account: t.string, openedAt: UnixMs })
export type CreditBooksRow = t.TypeOf<typeof CreditBooksRow>

const accountOf = ({ stream }: RecordedEvent): string => periodOf(stream.slice(Credits.category.length + 1)).account

/** The periods of all accounts, listed by account. Their content is in their streams alone. */
export const creditBooks: ReadModel<CreditBooksRow> = {
  name: 'credit_books',
  version: 2,
  category: Credits.category,
  row: CreditBooksRow,
  fold: (row, recorded) =>
    O.isSome(row) ? row : O.some({ account: accountOf(recorded), openedAt: unixMs(recorded.metadata.occurredAt) }),
  columns: ({ account }) => ({ listedUnder: account }),
}

/** One entry in an account's books. */
export const CreditTransactionRow = t.strict({
  account: t.string,
  kind: t.keyof({ granted: null, consumed: null, reversed: null }),
  units: Units,
  paymentId: t.union([t.null, PaymentId]),
  metadata: t.union([t.null, MetadataText]),
  createdAt: UnixMs,
})
export type CreditTransactionRow = t.TypeOf<typeof CreditTransactionRow>

const decode = decodedBy(Credits)

const entry = (row: O.Option<CreditTransactionRow>, recorded: RecordedEvent): O.Option<CreditTransactionRow> => {
  const event = decode(recorded)
  const known = { account: accountOf(recorded), createdAt: unixMs(recorded.metadata.occurredAt) }
  switch (event.type) {
    case 'CreditsGranted':
      return O.some({ ...known, kind: 'granted', metadata: null, ...moved(event.data) })
    case 'CreditsConsumed':
      return O.some({
        ...known,
        kind: 'consumed',
        units: event.data.units,
        paymentId: null,
        metadata: event.data.metadata,
      })
    case 'CreditsReversed':
      return O.some({ ...known, kind: 'reversed', metadata: null, ...moved(event.data) })
    case 'BooksOpened':
    case 'BooksClosed':
    case 'BooksHandedOver':
    case 'BooksTakenOver':
      return row
  }
}

const moved = ({ units, paymentId }: { readonly units: Units; readonly paymentId: PaymentId }) => ({ units, paymentId })

/** A row for each entry, over all periods, listed by account. */
export const creditTransactions: ReadModel<CreditTransactionRow> = {
  name: 'credit_transactions',
  version: 2,
  category: Credits.category,
  row: CreditTransactionRow,
  fold: entry,
  rowOf: ({ data }) => (CreditTransactionId.is(data.transactionId) ? data.transactionId : null),
  columns: ({ account, kind }) => ({ listedUnder: account, status: kind }),
}
