import {
  Count,
  count,
  Intent,
  IntentDetails,
  IntentId,
  LedgerSequence,
  OperationIndex,
  type RecordedEvent,
  TransactionHash,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { createdAt } from './created-at.ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

const Place = t.strict({
  transactionHash: TransactionHash,
  operationIndex: OperationIndex,
  ledger: LedgerSequence,
  closedAt: UnixMs,
})

/**
 * A movement that somebody wants. `attachedTo` is the transaction that it stands in, `place` where a closed ledger holds
 * its operation, `code` how that failed, or would have failed. `attempts` and `bystandings` count transactions that came to nothing.
 */
export const IntentRow = t.strict({
  details: IntentDetails,
  status: t.keyof({ waiting: null, attached: null, settled: null, refused: null, given_up: null, reported: null }),
  attachedTo: t.union([t.null, TransactionHash]),
  attempts: Count,
  bystandings: Count,
  place: t.union([t.null, Place]),
  code: t.union([t.null, t.string]),
  createdAt: UnixMs,
  updatedAt: UnixMs,
})
export type IntentRow = t.TypeOf<typeof IntentRow>

const decode = decodedBy(Intent)

const fold = (row: O.Option<IntentRow>, recorded: RecordedEvent): O.Option<IntentRow> => {
  const at = unixMs(recorded.metadata.occurredAt)
  const event = decode(recorded)
  const patch = (change: (row: IntentRow) => Partial<IntentRow>) =>
    O.map((known: IntentRow) => ({ ...known, ...change(known), updatedAt: at }))(row)
  switch (event.type) {
    case 'IntentRecorded':
      return O.some({
        details: event.data,
        status: 'waiting',
        attachedTo: null,
        attempts: count(0),
        bystandings: count(0),
        place: null,
        code: null,
        createdAt: createdAt(recorded),
        updatedAt: at,
      })
    case 'IntentAttached':
      return patch(() => ({ status: 'attached', attachedTo: event.data.transactionHash }))
    case 'IntentDetached':
      return patch((known) => (known.attachedTo === event.data.transactionHash ? letGo(known, event.data.reason) : {}))
    case 'IntentSettled':
      return patch(() => ({ status: 'settled', place: event.data }))
    case 'IntentRefused': {
      const { code, ...place } = event.data
      return patch(() => ({ status: 'refused', place, code }))
    }
    case 'IntentGivenUp':
      return patch(() => ({ status: 'given_up', code: event.data.code ?? null }))
    case 'IntentReported':
      return patch(() => ({ status: 'reported' }))
  }
}

const letGo = (
  { attempts, bystandings }: IntentRow,
  reason: 'withdrawn' | 'dead' | 'another_failed' | 'transaction_failed',
): Partial<IntentRow> => {
  const waiting = { status: 'waiting', attachedTo: null } as const
  switch (reason) {
    case 'withdrawn':
      return waiting
    case 'another_failed':
      return { ...waiting, bystandings: count(bystandings + 1) }
    case 'dead':
    case 'transaction_failed':
      return { ...waiting, attempts: count(attempts + 1) }
  }
}

/**
 * Due while it waits for a transaction, and from its end until its owner was told of it: that at once, before all that
 * waits. Found by its owner.
 */
export const intents: ReadModel<IntentRow> = {
  name: 'intents',
  version: 1,
  category: Intent.category,
  ids: IntentId,
  row: IntentRow,
  fold,
  columns: ({ status, details, createdAt }) => ({
    status,
    lookupKey: details.owner,
    dueAt: dueAt(status, createdAt),
  }),
}

const dueAt = (status: IntentRow['status'], since: UnixMs): UnixMs | null => {
  switch (status) {
    case 'waiting':
      return since
    case 'settled':
    case 'refused':
    case 'given_up':
      return unixMs(0)
    case 'attached':
    case 'reported':
      return null
  }
}
