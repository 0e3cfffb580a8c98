import { writeSync } from 'node:fs'
import { right } from '@quittance/domain/testing/outcomes'
import { eventStoreDb } from '@quittance/event-store/eventstoredb'
import type { PostgresProjection } from '@quittance/event-store/postgres'
import { postgresProjections } from '../projections.ts'
import { postgresProjector } from '../projector.ts'
import { noting } from './noting.ts'

/**
 * A process that keeps the read models of a log on a server until it is killed. Says 'begun', and 'within' the first time
 * that it is within a transaction. Arguments: the log's connection string, that of PostgreSQL, the schema, and what it
 * does then: 'goes on', 'waits' for a line, or 'stops' in the midst of an answer of the server.
 */
const [logString = '', connectionString = '', schema = '', moment] = process.argv.slice(2)
const log = eventStoreDb({ connectionString: logString, clock: Date.now, deadlineMs: 5_000 })
const say = (line: string): void => void writeSync(1, `${line}\n`)
let isFirst = true

const noted = noting()
const pausing: PostgresProjection = {
  ...noted,
  apply: async (sql, events) => {
    await noted.apply(sql, events)
    if (!isFirst) return
    isFirst = false
    say('within')
    if (moment === 'goes on') return
    if (moment === 'waits') await new Promise((resolve) => process.stdin.once('data', resolve))
    else {
      const answer = sql.query("SELECT repeat('x', 100000000)")
      process.kill(process.pid, 'SIGSTOP')
      await answer
    }
  },
}

const timeouts = { statement: 2_000, lock: 1_000, idleInTransaction: 1_000 }
const projections = [...postgresProjections, pausing]
const projector = await postgresProjector(log, { connectionString, schema, timeouts }, projections)
right(await projector.begin())
say('begun')
