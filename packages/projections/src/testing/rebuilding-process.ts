import { writeSync } from 'node:fs'
import type { SqlDatabase } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import { inlineMarks } from '../rebuild/live-table.ts'
import { fileFeed } from '../rebuild/log-feed.ts'
import { rebuildModel } from '../rebuild/rebuild-model.ts'
import type { RowWriter } from '../write-rows.ts'
import { writerOf } from './tables.ts'

/**
 * A process of its own that rebuilds the payments of a log, and kills itself right before the n-th time that it runs
 * SQL. It says how often it has run any, if it comes to its end. Arguments: the file, n.
 */
const [path = '', n = ''] = process.argv.slice(2)
let runs = 0
const counted = <A>(work: () => A): A => {
  runs += 1
  if (runs === Number(n)) process.kill(process.pid, 'SIGKILL')
  return work()
}
const killable = (database: SqlDatabase): SqlDatabase => ({
  ...database,
  execute: (text) => counted(() => database.execute(text)),
  prepare: (text) => {
    const statement = database.prepare(text)
    return {
      returnsRows: statement.returnsRows,
      run: (...parameters) => counted(() => statement.run(...parameters)),
      get: (...parameters) => counted(() => statement.get(...parameters)),
      all: (...parameters) => counted(() => statement.all(...parameters)),
      iterate: (...parameters) => counted(() => statement.iterate(...parameters)),
    }
  },
})

const database = openDatabase(path, { durability: 'full' })
const site = {
  database: killable(database),
  marks: inlineMarks(killable(database)),
  feedOf: ({ category }: RowWriter) => fileFeed(killable(database), category, 50),
}
await rebuildModel(site, writerOf('payments'), { compareOnly: false, onProgress: () => {} })
writeSync(1, `${runs}\n`)
database.close()
