import fc from 'fast-check'
import type { Log } from '../testing/any-history.ts'
import { anyWholeHistory, writeWhole } from '../testing/any-whole-history.ts'
import { writeEverything } from '../testing/every-row.ts'
import { allRows } from '../testing/tables.ts'
import { postgresProjections } from './projections.ts'
import { appendTo, onSqlite } from './testing/copied.ts'
import { caughtUp, endOf, longMs, projectorStage, rowsOnSqlite } from './testing/projector-stage.ts'

const stage = projectorStage()
const { openProjector, openPeerLog, rowsIn } = stage

describe('the rows of read models beside a log', () => {
  const compare = async (history: (log: Log) => Promise<void>): Promise<void> => {
    const sqlite = await onSqlite(history)
    const [before, during] = [stage.cluster().newSchema(), stage.cluster().newSchema()]
    const late = await openProjector(sqlite.store, postgresProjections, before)
    expect(await late.begin()).toEqual(caughtUp)
    expect(await rowsIn(before)).toEqual(allRows(sqlite.store.reader))
    expect(late.applied()).toBe(sqlite.events.length)

    const { store } = await openPeerLog()
    const following = await openProjector(store, postgresProjections, during)
    expect(await following.begin()).toEqual(caughtUp)
    await appendTo(store, sqlite.events)
    await following.reached(await endOf(store), longMs)
    expect(await rowsIn(during)).toEqual(await rowsOnSqlite(store))
    sqlite.store.close()
  }

  it('are those on SQLite, for a history that leaves a row in every table', () => compare(writeEverything))

  it('are those on SQLite, for any history', async () => {
    await fc.assert(
      fc.asyncProperty(anyWholeHistory, async (whole) => {
        await compare(writeWhole(whole))
        await stage.close()
      }),
      { numRuns: 6, seed: 20_261_125, endOnFailure: true },
    )
  })
})
