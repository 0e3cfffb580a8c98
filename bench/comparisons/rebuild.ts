import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { noEvents } from '@quittance/event-store'
import { postgresEventStore } from '@quittance/event-store/postgres'
import { buildProjections, sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { postgresProjections, postgresRebuild } from '@quittance/projections/postgres'
import type { Comparison } from '../comparing/comparison.ts'
import { perSecond } from '../comparing/run.ts'
import { saleOf } from '../sales.ts'

const shared = {
  file: 'rebuild.ts',
  unit: 'events per second',
  peer: null,
  aim: { _tag: 'at least', figure: 100_000 },
} as const

const salesOf = (count: number) => Array.from({ length: count }, (_, n) => saleOf(n)).flat()

const eventsIn = (sales: ReturnType<typeof salesOf>): number =>
  sales.reduce((sum, { events }) => sum + events.length, 0)

export const rebuild: Comparison = {
  ...shared,
  name: 'rebuild',
  measures: 'All read models of a log of paid sales, built from a file of SQLite that has none.',
  ours: 'all read models, SQLite',
  packages: ['better-sqlite3'],
  missedBecause:
    '43 read models share one thread. In a profile a third of the time was SQLite writing rows and their indexes, a quarter making public events and their rows, a tenth finding which rows change, and a tenth decoding. Indexes built after the rows, several rows in a statement, and folding in a second thread would close part of it.',
  open: async ({ folder, amount }) => {
    const sales = salesOf(amount(4_000))
    const path = join(folder, 'log.db')
    const store = sqliteEventStore({ path, clock: Date.now, projections: [] })
    await Promise.all(sales.map(({ stream, events }) => store.append(stream, noEvents, events)()))
    store.close()
    let round = 0
    return {
      ours: () => {
        round += 1
        const copy = join(folder, `${round}.db`)
        copyFileSync(path, copy)
        return perSecond(eventsIn(sales), () => buildProjections(copy, inlineProjections))
      },
      peer: null,
      close: async () => undefined,
    }
  },
}

export const rebuildPostgres: Comparison = {
  ...shared,
  name: 'rebuild-postgres',
  measures:
    'All read models of a log of paid sales in PostgreSQL: read, folded, written beside the live rows, compared with them, and switched.',
  ours: 'all read models, PostgreSQL',
  packages: ['pg'],
  missedBecause:
    'it rebuilds 43 read models one after the other. Each reads and decodes the events of its streams again, fills a table of its own, compares it with the live one and switches under a lock, which takes its time even where the table is small. In a profile our process mostly wrote statements to the server and cleared up memory. Reading the log once for all, as on SQLite, and copying rows in bulk would close part of it.',
  open: async ({ cluster, amount }) => {
    const sales = salesOf(amount(3_000))
    const { connectionString, newSchema } = await cluster()
    const schema = newSchema()
    const store = await postgresEventStore({
      connectionString,
      schema,
      clock: Date.now,
      projections: postgresProjections,
    })
    await Promise.all(sales.map(({ stream, events }) => store.append(stream, noEvents, events)()))
    await store.close()
    const everything = { models: null, compareOnly: false, onProgress: () => undefined }
    return {
      ours: () =>
        perSecond(eventsIn(sales), async () => {
          const found = await postgresRebuild({ connectionString, schema, ...everything })()
          if (found._tag === 'Left') throw new Error(found.left._tag)
          if (found.right.some(({ differing }) => differing > 0)) throw new Error('rows differ from their log')
        }),
      peer: null,
      close: async () => undefined,
    }
  },
}
