import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'

/**
 * A process that archives a log but for its last event. Arguments: the file; the most events of a segment; and 'again'
 * to go on, whenever there are as many, until it is killed, or the number of changes after which it kills itself, right before the next one. A change
 * is one of a file, or one statement that begins, ends or makes a transaction.
 */
const [path = '', mostEvents = '', until = ''] = process.argv.slice(2)
const last = until === 'again' ? Number.POSITIVE_INFINITY : Number(until)
let changes = 0
const beforeChange = (): void => {
  changes += 1
  if (changes > last) process.kill(process.pid, 'SIGKILL')
}

const dyingBefore =
  <Values extends ReadonlyArray<unknown>, Done>(change: (...values: Values) => Done) =>
  (...values: Values): Done => {
    beforeChange()
    return change(...values)
  }
Object.assign(fs, {
  chmodSync: dyingBefore(fs.chmodSync),
  fsyncSync: dyingBefore(fs.fsyncSync),
  mkdirSync: dyingBefore(fs.mkdirSync),
  renameSync: dyingBefore(fs.renameSync),
  rmSync: dyingBefore(fs.rmSync),
})
syncBuiltinESMExports()

const database = new Database(':memory:')
const statement: { run: (this: Database.Statement, ...values: ReadonlyArray<unknown>) => Database.RunResult } =
  Object.getPrototypeOf(database.prepare('SELECT 1'))
const connection: { exec: (this: Database.Database, source: string) => Database.Database } =
  Object.getPrototypeOf(database)
database.close()
const { run } = statement
const { exec } = connection
statement.run = function (...values) {
  if (!this.source.startsWith('INSERT INTO events')) beforeChange()
  return run.apply(this, [...values])
}
connection.exec = function (source) {
  beforeChange()
  return exec.apply(this, [source])
}

const { archiveLog } = await import('../archive/archive-log.ts')
const { openDatabase } = await import('../database.ts')
const log = openDatabase(path, { durability: 'full', readOnly: true })
const live = log.prepare('SELECT count(*) AS events FROM events')
do {
  while (until === 'again' && Number(live.get()?.events) < Number(mostEvents)) await pause(10)
  await archiveLog({ path, before: Number.POSITIVE_INFINITY, clock: Date.now, mostEvents: Number(mostEvents) })
} while (until === 'again')
