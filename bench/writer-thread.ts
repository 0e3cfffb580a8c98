import { join } from 'node:path'
import { byCallers } from './comparing/run.ts'
import { type Benchmark, median } from './report.ts'
import { saleOf } from './sales.ts'
import { inTemporaryFolder } from './temporary-folder.ts'
import { type Appending, inOwnThread, inThisThread } from './writer-thread/appending.ts'

const callers = 64
const salesInRound = 640
const rounds = 5

const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000

/** Sells through a store: how many sales a second, and the processor time of each, in the thread that asks and in all. */
const sell = async ({ append }: Appending, first: number) => {
  const sales = Array.from({ length: salesInRound }, (_, n) => saleOf(first + n))
  const startedAt = performance.now()
  const [thread, all] = [process.threadCpuUsage(), process.cpuUsage()]
  await byCallers(
    callers,
    sales.map((streams) => async () => {
      for (const { stream, events } of streams) await append(stream, events)
    }),
  )
  return {
    perSecond: salesInRound / ((performance.now() - startedAt) / 1_000),
    threadMs: milliseconds(process.threadCpuUsage(thread)) / salesInRound,
    allMs: milliseconds(process.cpuUsage(all)) / salesInRound,
  }
}

const measured = (name: string, figures: ReadonlyArray<Awaited<ReturnType<typeof sell>>>) => ({
  [`${name}: sales per second`]: median(figures.map(({ perSecond }) => perSecond)),
  [`${name}: ms of the thread that asks, per sale`]: median(figures.map(({ threadMs }) => threadMs)),
  [`${name}: ms of all threads, per sale`]: median(figures.map(({ allMs }) => allMs)),
})

/**
 * What it would cost, and save, to append in a thread of its own: the events of paid sales with all read models, by 64 callers, durably,
 * into a file of its own for each, in turns.
 */
export const writerThread: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const here = await inThisThread(join(folder, 'here'))
    const there = await inOwnThread(join(folder, 'there'))
    const [byHere, byThere] = [[], []] as [
      Array<Awaited<ReturnType<typeof sell>>>,
      Array<Awaited<ReturnType<typeof sell>>>,
    ]
    for (let round = 0; round <= rounds; round += 1) {
      byHere.push(await sell(here, round * salesInRound))
      byThere.push(await sell(there, round * salesInRound))
    }
    await Promise.all([here.close(), there.close()])
    // The first round warms up.
    return { ...measured('in the same thread', byHere.slice(1)), ...measured('in its own', byThere.slice(1)) }
  })
