import { PriceChange, PriceChangeId, PriceChangeRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** A price change as its row holds it, with when it was made and last changed. */
export type PriceChangeRow = StateRow<PriceChangeRecord>

/** Due while subscriptions are still to be told of it, or of its end. Listed under its product. */
export const priceChanges = stateModel({
  name: 'price_changes',
  version: 1,
  aggregate: PriceChange,
  record: PriceChangeRecord,
  ids: PriceChangeId,
  columns: (row) => ({ status: row.status, listedUnder: row.details.productId, dueAt: dueAt(row) }),
})

const dueAt = (row: PriceChangeRecord): number | null => {
  switch (row.status) {
    case 'scheduled':
      return row.noticed === null ? row.details.scheduledAt : null
    case 'withdrawing':
      return row.canceledAt
    case 'canceled':
      return null
  }
}
