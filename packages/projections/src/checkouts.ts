import { Checkout, CheckoutId, CheckoutRecord, shownStatus } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** A session without its quotes, offers and bytes, and with the newest of its transactions alone. */
export type CheckoutRow = StateRow<CheckoutRecord>

const none = { quotes: [], accepted: [], setAside: [], failedPayments: [], offers: [], refusedEnrolments: [] }

const pruned = (state: CheckoutRecord): CheckoutRecord => ({
  ...state,
  ...none,
  transactions: state.transactions.slice(-1).map(({ envelopeXdr: _, ...transaction }) => transaction),
})

/** Due at the deadline while open; found by the hash of the transaction that was announced last. */
export const checkouts = stateModel({
  name: 'checkouts',
  version: 4,
  aggregate: Checkout,
  record: CheckoutRecord,
  ids: CheckoutId,
  pruned,
  columns: (row) => ({
    status: shownStatus(row),
    listedUnder: row.customerId,
    lookupKey: row.transactions[0]?.transactionHash ?? null,
    dueAt: row.status === 'open' ? row.details.expiresAt : null,
  }),
})
