import { join } from 'node:path'
import { fold } from '@quittance/billing/testing/internals'
import { Checkout } from '@quittance/domain'
import { brokenRecord, noEvents } from '@quittance/event-store'
import { sqliteEventStore } from '@quittance/event-store/sqlite'
import type { Comparison } from '../comparing/comparison.ts'
import { openPeerSqlite } from '../comparing/peer-sqlite.ts'
import { perSecond } from '../comparing/run.ts'
import { evolvePeer, type PeerEvent } from '../comparing/sale-commands.ts'
import { saleOf } from '../sales.ts'

export const foldOfStreams: Comparison = {
  name: 'fold',
  file: 'fold.ts',
  measures:
    'The states of completed checkouts, from streams in a file of SQLite: ours reads a stream, checks the hash of each event and its place in the chain, decodes and folds. Emmett aggregates the same streams by the same decoder and fold, by one kept connection, and has no hashes to check.',
  unit: 'events per second',
  ours: 'our store, hashes checked',
  peer: 'Emmett `aggregateStream`',
  packages: ['@event-driven-io/emmett', '@event-driven-io/emmett-sqlite', 'sqlite3', 'better-sqlite3'],
  aim: { _tag: 'ratio', atLeast: 3 },
  missedBecause:
    'both sides decode and fold by the same code, which a faster store cannot shorten; ours also writes the canonical text of each event and hashes it twice. The ratio was 2.7 to 3.2 where ours folded 63,000 events a second and the peer waited longer for its driver’s threads, and 1.3 to 1.4 in later runs on two other machines. In a trial, checking the text as it is stored, instead of making it again from the decoded event, took 11 µs an event instead of 15, which closes a part of it.',
  open: async ({ folder, amount }) => {
    const sessions = Array.from({ length: amount(2_000) }, (_, n) => saleOf(n)).flatMap(([checkout]) => checkout ?? [])
    const count = sessions.reduce((sum, { events }) => sum + events.length, 0)
    const ours = sqliteEventStore({ path: join(folder, 'ours.db'), clock: Date.now, projections: [] })
    await Promise.all(sessions.map(({ stream, events }) => ours.append(stream, noEvents, events)()))
    const peer = await openPeerSqlite(join(folder, 'peer.db'))
    for (const { stream, events } of sessions) {
      const written = events.map(({ type, data, context, schemaVersion }) => ({
        type,
        data: { ...data },
        metadata: { ...context, schemaVersion },
      }))
      await peer.store.appendToStream<PeerEvent>(stream, written)
    }
    const options = { evolve: evolvePeer, initialState: () => Checkout.decider.initial }
    const requireCompleted = ({ status }: { readonly status: string }): void => {
      if (status !== 'completed') throw new Error(`a checkout is ${status}`)
    }
    return {
      ours: () =>
        perSecond(count, async () => {
          for (const { stream } of sessions) {
            const slice = await ours.readStream(stream)()
            if (slice._tag === 'Left') throw new Error(slice.left._tag)
            const { events } = slice.right
            events.forEach((event, index) => {
              const broken = brokenRecord(event, events[index - 1] ?? null)
              if (broken !== null) throw new Error(broken)
            })
            requireCompleted(fold(Checkout, events))
          }
        }),
      peer: () =>
        perSecond(count, async () => {
          for (const { stream } of sessions) requireCompleted((await peer.store.aggregateStream(stream, options)).state)
        }),
      close: async () => {
        ours.close()
        await peer.close()
      },
    }
  },
}
