import type { RecordedEvent } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import fc from 'fast-check'
import { rowWriters } from './read-models.ts'
import { tableName } from './table-rows.ts'
import type { Log } from './testing/any-history.ts'
import { anyWholeHistory, writeWhole } from './testing/any-whole-history.ts'
import { writeEverything } from './testing/every-row.ts'
import { openLog } from './testing/log.ts'
import { allRows } from './testing/tables.ts'
import { applierOf } from './write-rows.ts'

/** The rows of events that are applied so many at once. */
const rowsOf = (events: ReadonlyArray<RecordedEvent>, atOnce: number) => {
  const database = openDatabase(':memory:', { durability: 'relaxedLosesCommitsOnPowerLoss' })
  try {
    const appliers = rowWriters.map((writer) => {
      writer.create(database, tableName(writer))
      return applierOf(writer, database, tableName(writer))
    })
    for (let first = 0; first < events.length; first += atOnce)
      for (const apply of appliers) apply(events.slice(first, first + atOnce))
    return allRows(database)
  } finally {
    database.close()
  }
}

/** Compares the rows of a history that were written one event at a time with those of many at once; answers empty tables. */
const compare = async (history: (log: Log) => Promise<void>, sizes: ReadonlyArray<number>) => {
  const database = openDatabase(':memory:', { durability: 'relaxedLosesCommitsOnPowerLoss' })
  const log = openLog([])
  try {
    await history(log)
    const events: RecordedEvent[] = []
    for await (const event of log.store.readAll(0n)) events.push(event)
    const appliers = rowWriters.map((writer) => {
      writer.create(database, tableName(writer))
      return writer.open(database, tableName(writer))
    })
    for (const event of events) for (const apply of appliers) apply(event)
    const rows = allRows(database)
    for (const size of sizes) expect(rowsOf(events, size)).toEqual(rows)
    return Object.keys(rows).filter((name) => rows[name]?.length === 0)
  } finally {
    log.store.close()
    database.close()
  }
}

describe('rows of many events that are applied at once', () => {
  it('are those of one event after the other, for a history that leaves a row in every table', async () => {
    expect(await compare(writeEverything, [1, 2, 7, 1_000])).toEqual([])
  })

  it('are those of one event after the other, for any history', async () => {
    await fc.assert(
      fc.asyncProperty(anyWholeHistory, fc.integer({ min: 2, max: 60 }), async (whole, size) => {
        await compare(writeWhole(whole), [size, 1_000])
      }),
      { numRuns: 15, seed: 20_261_125, endOnFailure: true },
    )
  }, 60_000)
})
