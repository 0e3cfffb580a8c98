import { Funding, FundingId, FundingRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** Money of the merchant's own: announced, received, or moved by the merchant's own hand. */
export type FundingRow = StateRow<FundingRecord>

const transactionOf = (row: FundingRow) => {
  switch (row.status) {
    case 'announced':
      return null
    case 'received':
      return row.received.transactionHash
    case 'moved':
      return row.movement.transactionHash
  }
}

/** Found by its transaction once it has one. */
export const fundings = stateModel({
  name: 'fundings',
  version: 3,
  aggregate: Funding,
  record: FundingRecord,
  ids: FundingId,
  columns: (row) => ({ status: row.status, lookupKey: transactionOf(row) }),
})
