import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql'
import { postgresEventStore } from '@quittance/event-store/postgres'
import type { Comparison } from '../comparing/comparison.ts'
import { saleCommands } from '../comparing/sale-commands.ts'

const commands = (callers: number, checkouts: number, missedBecause: string | null): Comparison => ({
  name: `commands-postgres-${callers}`,
  file: 'commands-postgres.ts',
  measures: `${callers === 1 ? 'One caller takes' : `${callers} callers at once take`} checkouts through five commands each: load the stream, fold it, decide, append durably. Both sides decode and decide by the same code, on one server with \`fsync = on\` and \`synchronous_commit = on\`, each with its own connections as they come; ours also seals hashes and orders the log.`,
  unit: 'commands per second',
  ours: 'our kernel',
  peer: 'Emmett',
  packages: ['@event-driven-io/emmett', '@event-driven-io/emmett-postgresql', 'pg'],
  aim: { _tag: 'ratio', atLeast: 2 },
  missedBecause,
  open: async ({ cluster, amount }) => {
    const server = await cluster()
    const { connectionString } = server
    const ours = await postgresEventStore({
      connectionString,
      schema: server.newSchema(),
      clock: Date.now,
      projections: [],
    })
    await server.sql('CREATE DATABASE emmett')
    const peer = getPostgreSQLEventStore(connectionString.replace('/postgres?', '/emmett?'))
    await peer.schema.migrate()
    return {
      ...saleCommands(ours, peer, callers, amount(checkouts)),
      close: async () => {
        await ours.close()
        await peer.close()
      },
    }
  },
})

export const commandsPostgresOf1 = commands(
  1,
  80,
  'one caller waits, for one read, one call that appends, and the sync of the server’s disk; in a profile this process was idle for most of a round. The peer waits for the same sync, which limits both. A disk that syncs faster, or reading and appending in one call, would show more of the difference; with 32 callers, who share our commits, it shows.',
)
export const commandsPostgresOf32 = commands(32, 320, null)
