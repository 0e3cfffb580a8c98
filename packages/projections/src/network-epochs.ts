import { Count, count, Environment, LedgerIngestion, type RecordedEvent, UnixMs, unixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/**
 * How often the network of an environment was reset. Its present history holds what closed after `since`: the close time of
 * the last ledger that was ingested before.
 */
export const NetworkEpochRow = t.strict({ environment: Environment, resets: Count, ending: UnixMs, since: UnixMs })
export type NetworkEpochRow = t.TypeOf<typeof NetworkEpochRow>

const decode = decodedBy(LedgerIngestion)

const fold = (row: O.Option<NetworkEpochRow>, recorded: RecordedEvent): O.Option<NetworkEpochRow> => {
  const event = decode(recorded)
  const { environment } = recorded.metadata
  if (event.type === 'NetworkResetBegun') {
    const known = O.isSome(row) ? row.value : { environment, resets: count(0), since: unixMs(0) }
    return O.some({ ...known, ending: event.data.ended.closedAt })
  }
  if (event.type !== 'NetworkResetCompleted') return row
  const resets = count(event.data.epoch)
  return O.map((known: NetworkEpochRow) => ({ ...known, resets, since: known.ending }))(row)
}

/** A row for each environment whose network was reset. */
export const networkEpochs: ReadModel<NetworkEpochRow> = {
  name: 'network_epochs',
  version: 1,
  category: LedgerIngestion.category,
  row: NetworkEpochRow,
  fold,
  columns: () => ({}),
}
