import { join } from 'node:path'
import { sqliteEventStore } from '@quittance/event-store/sqlite'
import type { Comparison } from '../comparing/comparison.ts'
import { openPeerSqlite } from '../comparing/peer-sqlite.ts'
import { saleCommands } from '../comparing/sale-commands.ts'

export const commandsSqlite: Comparison = {
  name: 'commands-sqlite',
  file: 'commands-sqlite.ts',
  measures:
    'One caller takes checkouts through five commands each: load the stream, fold it, decide, append durably. Both sides decode and decide by the same code, in WAL files with `synchronous = FULL`; ours also seals hashes. Emmett keeps one connection, which is its faster setting: as it comes, it opens one for each operation, made a quarter as many commands in a short run, and failed at times with SQLITE_BUSY.',
  unit: 'commands per second',
  ours: 'our kernel',
  peer: 'Emmett, one connection',
  packages: ['@event-driven-io/emmett', '@event-driven-io/emmett-sqlite', 'sqlite3', 'better-sqlite3'],
  aim: { _tag: 'ratio', atLeast: 10 },
  missedBecause:
    'one caller waits for a sync at each command, and so does the peer. On a slower disk the ratio was 2.6; plain inserts of such rows by the driver alone made 3,077 a second there and Emmett 928 commands, so no store that syncs each command reaches ten times that. In this run a sync took 0.1 ms, from which Emmett gained more: in a run of its own, ours took 446 µs a command at first, while its code was being compiled, and 236 after 16,000; half of that is writing and the sync, and the rest reading the stream, decoding, deciding and sealing. With a connection for each operation, Emmett made 258 commands a second on the slower disk, beside 1,362 of ours.',
  open: async ({ folder, amount }) => {
    const ours = sqliteEventStore({ path: join(folder, 'ours.db'), clock: Date.now, projections: [] })
    const peer = await openPeerSqlite(join(folder, 'peer.db'))
    return {
      ...saleCommands(ours, peer.store, 1, amount(200)),
      close: async () => {
        ours.close()
        await peer.close()
      },
    }
  },
}
