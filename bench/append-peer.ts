import type { NewEvent } from '@quittance/domain'
import { noEvents } from '@quittance/event-store'
import { eventStoreDb } from '@quittance/event-store/eventstoredb'
import { bareAppends } from '@quittance/event-store/eventstoredb/testing/bare-appends'
import { startPeerProcess } from '@quittance/event-store/testing/peer/process'
import { type Benchmark, median } from './report.ts'
import { sampleEvent } from './sample-events.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const rounds = 9
const eventsPerRound = (callers: number): number => (callers === 1 ? 500 : 2_000)

type Planned = { readonly stream: string; readonly event: NewEvent }

const plan = (name: string, count: number): ReadonlyArray<Planned> =>
  Array.from({ length: count }, (_, n) => ({ stream: `checkout-${name}-${n}`, event: sampleEvent(n) }))

/** Runs a plan with this many concurrent callers; returns appends per second. */
const measure = async (
  planned: ReadonlyArray<Planned>,
  callers: number,
  append: (each: Planned) => Promise<unknown>,
): Promise<number> => {
  const waiting = planned.values()
  const caller = async (): Promise<void> => {
    for (const each of waiting) await append(each)
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: callers }, caller))
  return planned.length / ((performance.now() - startedAt) / 1_000)
}

/**
 * Appends of one event through our adapter to the protocol peer in its own process, beside the bare client that sends
 * the same bytes the same way. Rounds alternate; the overhead is the median over the rounds.
 */
export const appendPeer: Benchmark = () =>
  inTemporaryFolder(async (directory) => {
    const peer = await startPeerProcess(directory, 0)
    const store = eventStoreDb({ connectionString: peer.connectionString, clock: Date.now, deadlineMs: 10_000 })
    const report: Record<string, number> = {}

    const ours = (name: string, callers: number): Promise<number> =>
      measure(plan(name, eventsPerRound(callers)), callers, async ({ stream, event }) => {
        const outcome = await store.append(stream, noEvents, [event])()
        if (outcome._tag === 'Left') throw new Error(outcome.left._tag)
      })
    const bare = async (name: string, callers: number): Promise<number> => {
      const planned = plan(name, eventsPerRound(callers))
      const connecting = plan(`${name}-connecting`, 1)
      const client = bareAppends(peer.connectionString, [...planned, ...connecting])
      for (const { stream } of connecting) await client.append(stream)
      const perSecond = await measure(planned, callers, ({ stream }) => client.append(stream))
      await client.close()
      return perSecond
    }

    await ours('warm-ours', 32)
    await bare('warm-bare', 32)
    for (const callers of [1, 32]) {
      const pairs: { readonly ours: number; readonly bare: number }[] = []
      for (let round = 0; round < rounds; round += 1) {
        const name = `${callers}-${round}`
        const first = round % 2 === 0 ? await ours(`ours-${name}`, callers) : null
        const other = await bare(`bare-${name}`, callers)
        pairs.push({ ours: first ?? (await ours(`ours-${name}`, callers)), bare: other })
      }
      report[`appends per second, ${callers} callers`] = median(pairs.map((pair) => pair.ours))
      report[`of the bare client, ${callers} callers`] = median(pairs.map((pair) => pair.bare))
      report[`over the bare client in percent, ${callers} callers`] = median(
        pairs.map((pair) => 100 * (pair.bare / pair.ours - 1)),
      )
    }
    await store.close()
    await peer.kill('SIGTERM')
    return report
  })
