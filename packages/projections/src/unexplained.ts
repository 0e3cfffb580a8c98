import { Exception, LedgerSequence, type RecordedEvent, TransactionHash, UnixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** A change of a balance that nothing of ours accounts for, until a person has resolved its exception. */
export const UnexplainedRow = t.strict({
  ledger: LedgerSequence,
  transactionHash: TransactionHash,
  closedAt: UnixMs,
  isOpen: t.boolean,
})
export type UnexplainedRow = t.TypeOf<typeof UnexplainedRow>

const decode = decodedBy(Exception)

const fold = (row: O.Option<UnexplainedRow>, recorded: RecordedEvent): O.Option<UnexplainedRow> => {
  const event = decode(recorded)
  switch (event.type) {
    case 'ExceptionOpened': {
      const { kind, ledger, transactionHash, closedAt } = event.data
      return kind === 'unexplained' ? O.some({ ledger, transactionHash, closedAt, isOpen: true }) : O.none
    }
    case 'ExceptionResolved':
      return O.map((known: UnexplainedRow) => ({ ...known, isOpen: false }))(row)
    case 'ExceptionLeftToPerson':
    case 'ReturnStarted':
    case 'ReturnPostponed':
    case 'ReturnWaitEnded':
    case 'ReturnFailed':
    case 'ExceptionReturned':
    case 'ApplicationStarted':
    case 'HoldReleased':
    case 'HoldKept':
      return row
  }
}

/** Of all exceptions those of this kind alone, so that the first open one is found whatever else is open. */
export const unexplained: ReadModel<UnexplainedRow> = {
  name: 'unexplained',
  version: 2,
  category: Exception.category,
  row: UnexplainedRow,
  fold,
  columns: ({ isOpen, closedAt }) => ({ dueAt: isOpen ? closedAt : null }),
}
