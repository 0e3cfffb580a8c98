import type { LedgerSequence } from '@quittance/domain'
import {
  type Cursor,
  createIngestion,
  type Halted,
  type LedgerGateway,
  type LedgerUnreachable,
  type Movement,
  type WatchedAccounts,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** The range was read to its end: nothing after it is looked at. */
type RangeRead = { readonly _tag: 'RangeRead' }

const ledgersAtOnce = 10

/**
 * Reads closed ledgers again from the nodes, as a worker would follow them, and hands over what each changed of the watched
 * balances. No cursor of anybody's moves. Errors: `RangePruned` where no node holds the first any more, and every other
 * reason for which ledgers cannot be followed; `LedgerUnreachable` also where `last` has not closed for the nodes.
 */
export const readRange =
  (gateway: LedgerGateway, watched: WatchedAccounts, onLedger: (movements: ReadonlyArray<Movement>) => void) =>
  (first: LedgerSequence, last: LedgerSequence): TE.TaskEither<Halted | LedgerUnreachable, void> =>
  async () => {
    let cursor: Cursor | null = null
    let read = 0
    const ingestion = createIngestion<RangeRead>({
      gateway,
      cursor: {
        load: () => TE.right(cursor),
        advance: (_, to) => {
          cursor = to
          return TE.right(true)
        },
      },
      watched: TE.right(watched),
      onLedger: ({ sequence, movements }) => {
        if (sequence > last) return TE.left({ _tag: 'RangeRead' })
        read = sequence
        onLedger(movements)
        return TE.right(undefined)
      },
      alarm: () => undefined,
      batchSize: ledgersAtOnce,
      firstLedger: first,
    })
    const ingested = await ingestion.step()
    if (E.isLeft(ingested) && ingested.left._tag !== 'RangeRead') return E.left(ingested.left)
    return read < last
      ? E.left({ _tag: 'LedgerUnreachable', cause: `no node tells of ledger ${last}` })
      : E.right(undefined)
  }
