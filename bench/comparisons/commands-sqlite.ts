import { join } from 'node:path'
import { sqliteEventStore } from '@quittance/event-store/sqlite'
import type { Comparison } from '../comparing/comparison.ts'
import { openPeerSqlite } from '../comparing/peer-sqlite.ts'
import { saleCommands } from '../comparing/sale-commands.ts'

const shared = {
  file: 'commands-sqlite.ts',
  unit: 'commands per second',
  ours: 'our kernel',
  packages: ['@event-driven-io/emmett', '@event-driven-io/emmett-sqlite', 'sqlite3', 'better-sqlite3'],
  aim: { _tag: 'ratio', atLeast: 10 },
} as const

const rounds =
  'One caller takes checkouts through five commands each: load the stream, fold it, decide, append durably.'
const equal =
  'Both sides decode and decide by the same code, in WAL files with `synchronous = FULL`; ours also seals hashes.'

const commands =
  (checkouts: number, isKept: boolean): Comparison['open'] =>
  async ({ folder, amount }) => {
    const ours = sqliteEventStore({ path: join(folder, 'ours.db'), clock: Date.now, projections: [] })
    const peer = await openPeerSqlite(join(folder, 'peer.db'), isKept)
    return {
      ...saleCommands(ours, peer.store, 1, amount(checkouts)),
      close: async () => {
        ours.close()
        await peer.close()
      },
    }
  }

/** With the peer at its best. */
export const commandsSqlite: Comparison = {
  ...shared,
  name: 'commands-sqlite',
  measures: `${rounds} ${equal} Emmett keeps one connection, which is its faster setting.`,
  peer: 'Emmett, one kept connection',
  missedBecause: null,
  open: commands(200, true),
}

/** With the peer as it comes. */
export const commandsSqliteDefault: Comparison = {
  ...shared,
  name: 'commands-sqlite-default',
  measures: `${rounds} ${equal} Emmett is set up as its documentation does: it opens a connection for each operation.`,
  peer: 'Emmett as it comes',
  missedBecause: null,
  open: commands(80, false),
}
