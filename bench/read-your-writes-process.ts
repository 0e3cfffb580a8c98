import { eventStoreDb } from '@quittance/event-store/eventstoredb'
import { postgresProjector } from '@quittance/projections/postgres'

/**
 * A process that keeps the read models of a log until it is killed, and prints a line once it has caught up. Arguments:
 * the log's connection string, that of PostgreSQL, and the schema.
 */
const [logString = '', connectionString = '', schema = ''] = process.argv.slice(2)
const log = eventStoreDb({ connectionString: logString, clock: Date.now, deadlineMs: 5_000 })
const projector = await postgresProjector(log, { connectionString, schema })
const begun = await projector.begin()
if (begun._tag === 'Left') throw new Error(begun.left._tag)
process.stdout.write('begun\n')
