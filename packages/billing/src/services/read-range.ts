import type { LedgerSequence } from '@quittance/domain'
import {
  type AccountLookUp,
  type Cursor,
  createIngestion,
  type Halted,
  type LedgerGateway,
  type LedgerUnreachable,
  type Movement,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

export type LedgerRange = { readonly from: LedgerSequence; readonly to: LedgerSequence }

/** The range was read to its end. */
type RangeRead = { readonly _tag: 'RangeRead' }

const ledgersAtOnce = 10

/**
 * Reads closed ledgers from the nodes again, with the checks of a worker's ingestion, and hands over how each changed the
 * watched balances. Moves no stored cursor. Errors: `RangePruned` if no node holds the first ledger any more, and every
 * other reason for which ingestion halts; `LedgerUnreachable` also if no node knows `last`.
 */
export const readRange = async (
  gateway: LedgerGateway,
  watched: AccountLookUp,
  { from: firstLedger, to: last }: LedgerRange,
  onLedger: (movements: ReadonlyArray<Movement>) => void,
): Promise<E.Either<Halted | LedgerUnreachable, void>> => {
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
    firstLedger,
  })
  const ingested = await ingestion.step()
  if (E.isLeft(ingested) && ingested.left._tag !== 'RangeRead') return E.left(ingested.left)
  if (read >= last) return E.right(undefined)
  return E.left({ _tag: 'LedgerUnreachable', cause: `no node tells of ledger ${last}` })
}
