import * as TE from 'fp-ts/lib/TaskEither.js'
import { createIngestion } from '../create-ingestion.ts'
import type { ClosedLedger } from '../gateway.ts'
import type { Cursor, Halted, IngestedLedger, IngestionOptions } from '../ingestion.ts'
import { alice, hashOf, headOf, ledger, ledgersInMemory, sequence } from './ledgers.ts'

export type Failure = { readonly _tag: 'StoreDown' }
export const storeDown: Failure = { _tag: 'StoreDown' }

export const ledgers = (from: number, to: number): Array<ClosedLedger> =>
  Array.from({ length: to - from + 1 }, (_, index) => ledger(from + index))

export const cursorAt = (number: number): Cursor => ({ ...headOf(number), hash: hashOf(number) })

/** An ingestion of ledgers in memory, with its cursor, handled ledgers and alarms. */
export const ingesting = (
  closed: Array<ClosedLedger>,
  changed: Partial<IngestionOptions<Failure>> & { readonly oldest?: number } = {},
) => {
  const network = ledgersInMemory(closed, changed.oldest)
  const state: { cursor: Cursor | null } = { cursor: null }
  const handled: Array<IngestedLedger> = []
  const alarms: Array<Halted> = []
  const options: IngestionOptions<Failure> = {
    gateway: network.gateway,
    cursor: {
      load: () => TE.right(state.cursor),
      advance: (from, to) => {
        const isThere = state.cursor === from
        if (isThere) state.cursor = to
        return TE.right(isThere)
      },
    },
    watched: TE.right(new Set([alice])),
    onLedger: (ingested) => {
      handled.push(ingested)
      return TE.right(undefined)
    },
    alarm: (halted) => alarms.push(halted),
    batchSize: 3,
    firstLedger: sequence(1),
    ...changed,
  }
  return { ...network, state, handled, alarms, options, ingestion: createIngestion(options) }
}

export const sequences = (handled: ReadonlyArray<IngestedLedger>): ReadonlyArray<number> =>
  handled.map((each) => each.sequence)
