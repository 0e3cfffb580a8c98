import { writeSync } from 'node:fs'
import { postgresEventStore } from '@quittance/event-store/postgres'
import fc from 'fast-check'
import { anyHistory, write } from '../../testing/any-history.ts'
import { writingTo } from '../../testing/log.ts'
import { postgresProjections } from '../projections.ts'

/**
 * A process that appends to a log on PostgreSQL with all read models until it is killed, and says 'written' after each
 * history. Arguments: the connection string and the schema.
 */
const [connectionString = '', schema = ''] = process.argv.slice(2)
const projections = postgresProjections
const store = await postgresEventStore({ connectionString, schema, clock: () => 0, projections })
for (let seed = 1; ; seed += 1) {
  await write(writingTo(store), fc.sample(anyHistory, { numRuns: 1, seed }).flat())
  writeSync(1, 'written\n')
}
