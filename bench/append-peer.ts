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

/** `microseconds` is this process's processor time per append, on which other processes' load has less influence. */
type Measured = { readonly perSecond: number; readonly microseconds: number }

/** Runs a plan with this many concurrent callers. */
const measure = async (
  planned: ReadonlyArray<Planned>,
  callers: number,
  append: (each: Planned) => Promise<unknown>,
): Promise<Measured> => {
  const waiting = planned.values()
  const caller = async (): Promise<void> => {
    for (const each of waiting) await append(each)
  }
  const [startedAt, before] = [performance.now(), process.cpuUsage()]
  await Promise.all(Array.from({ length: callers }, caller))
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - startedAt) / 1_000
  return { perSecond: planned.length / seconds, microseconds: (user + system) / planned.length }
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

    const ours = (name: string, callers: number): Promise<Measured> =>
      measure(plan(name, eventsPerRound(callers)), callers, async ({ stream, event }) => {
        const outcome = await store.append(stream, noEvents, [event])()
        if (outcome._tag === 'Left') throw new Error(outcome.left._tag)
      })
    const bare = async (name: string, callers: number): Promise<Measured> => {
      const planned = plan(name, eventsPerRound(callers))
      const connecting = plan(`${name}-connecting`, 1)
      const client = bareAppends(peer.connectionString, [...planned, ...connecting])
      for (const { stream } of connecting) await client.append(stream)
      const measured = await measure(planned, callers, ({ stream }) => client.append(stream))
      await client.close()
      return measured
    }

    await ours('warm-ours', 32)
    await bare('warm-bare', 32)
    for (const callers of [1, 32]) {
      const pairs: { readonly ours: Measured; readonly bare: Measured }[] = []
      for (let round = 0; round < rounds; round += 1) {
        const name = `${callers}-${round}`
        const first = round % 2 === 0 ? await ours(`ours-${name}`, callers) : null
        const other = await bare(`bare-${name}`, callers)
        pairs.push({ ours: first ?? (await ours(`ours-${name}`, callers)), bare: other })
      }
      report[`appends per second, ${callers} callers`] = median(pairs.map(({ ours }) => ours.perSecond))
      report[`of the bare client, ${callers} callers`] = median(pairs.map(({ bare }) => bare.perSecond))
      report[`over the bare client in percent, ${callers} callers`] = median(
        pairs.map(({ ours, bare }) => 100 * (bare.perSecond / ours.perSecond - 1)),
      )
      report[`processor time over the bare client in percent, ${callers} callers`] = median(
        pairs.map(({ ours, bare }) => 100 * (ours.microseconds / bare.microseconds - 1)),
      )
    }
    await store.close()
    await peer.kill('SIGTERM')
    return report
  })
