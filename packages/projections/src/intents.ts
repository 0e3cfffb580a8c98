import { Intent, IntentId, IntentRecord, unixMs } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** An intent as its row holds it, with when it was made and last changed. */
export type IntentRow = StateRow<IntentRecord>

/** An end is due at once, before all that waits. */
const dueAt = ({ status, createdAt }: IntentRow) => {
  switch (status) {
    case 'waiting':
      return createdAt
    case 'settled':
    case 'refused':
    case 'given_up':
      return unixMs(0)
    case 'attached':
    case 'reported':
      return null
  }
}

/** Due while it waits for a transaction, and from its end until its owner has heard of it. Found by its owner. */
export const intents = stateModel({
  name: 'intents',
  version: 2,
  aggregate: Intent,
  record: IntentRecord,
  ids: IntentId,
  columns: (row) => ({ status: row.status, lookupKey: row.details.owner, dueAt: dueAt(row) }),
})
