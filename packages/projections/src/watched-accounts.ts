import {
  AccountId,
  Environment,
  LedgerSequence,
  Merchant,
  OpeningBalance,
  PositiveCount,
  type RecordedEvent,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** The books of an epoch of the network: they ended with these balances. */
export const ClosedBooks = t.strict({ epoch: PositiveCount, closing: t.readonlyArray(OpeningBalance) })
export type ClosedBooks = t.TypeOf<typeof ClosedBooks>

/**
 * An account that receives a merchant's money. All that came up to ledger `setUpThrough` belongs to its set-up. An account
 * in the merchant's own custody held `opening` by then.
 */
export const WatchedAccountRow = t.intersection([
  t.strict({
    account: AccountId,
    environment: Environment,
    setUpThrough: LedgerSequence,
    custody: t.keyof({ service: null, merchant: null }),
    opening: t.readonlyArray(OpeningBalance),
  }),
  t.exact(
    t.partial({
      /** The books that resets of the network have ended, oldest first. The account's ledgers count from the last one on. */
      closed: t.readonlyArray(ClosedBooks),
    }),
  ),
])
export type WatchedAccountRow = t.TypeOf<typeof WatchedAccountRow>

const decode = decodedBy(Merchant)

const fold = (row: O.Option<WatchedAccountRow>, recorded: RecordedEvent): O.Option<WatchedAccountRow> => {
  const event = decode(recorded)
  if (event.type === 'SettlementBooksClosed') {
    const { epoch, closing, setUpThrough, opening } = event.data
    return O.map((known: WatchedAccountRow) => ({
      ...known,
      setUpThrough,
      opening,
      closed: [...(known.closed ?? []), { epoch, closing }],
    }))(row)
  }
  if (event.type !== 'SettlementAccountSet' || O.isSome(row)) return row
  const { account, environment, setUpThrough, custody = 'service', opening = [] } = event.data
  return O.some({ account, environment, setUpThrough, custody, opening })
}

/** A row for each account in each environment, found by the account: one question, however many accounts there are. */
export const watchedAccounts: ReadModel<WatchedAccountRow> = {
  name: 'watched_accounts',
  version: 3,
  category: Merchant.category,
  row: WatchedAccountRow,
  fold,
  rowOf: ({ data }) => (typeof data.account === 'string' ? `${data.account} ${data.environment}` : null),
  columns: ({ account }) => ({ lookupKey: account }),
}
