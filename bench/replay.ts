import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Aggregate, Checkout, Payment, type RecordedEvent } from '@quittance/domain'
import { replay as replayLog, sqliteEventStore, verify } from '@quittance/event-store/sqlite'
import { type Benchmark, median } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const sales = 20_000
const rounds = 3

/** Writes the log in another process, so that its memory does not count for the replay. */
const write = (path: string): void => {
  const program = fileURLToPath(new URL('./write-sales.ts', import.meta.url))
  execFileSync(process.execPath, [program, path, String(sales)], { stdio: 'inherit' })
}

/** The states of all streams of one aggregate, folded event by event. */
const folding = <Command, Event, State, Rejection>({
  category,
  decider,
  events,
}: Aggregate<Command, Event, State, Rejection>) => {
  const states = new Map<string, State>()
  const decode = (event: RecordedEvent): Event => {
    const decoded = events.decodeEvent(event)
    if (decoded._tag === 'Left') throw new Error(decoded.left.problem)
    return decoded.right
  }
  const fold = (stream: string, event: Event): void => {
    states.set(stream, decider.evolve(states.get(stream) ?? decider.initial, event))
  }
  return { category, states, decode, fold }
}

/** Folds a log from its file while verifying its hashes; returns events per second. */
const fromDisk = async (path: string): Promise<number> => {
  const [checkouts, payments] = [folding(Checkout), folding(Payment)]
  const startedAt = performance.now()
  const { ok, events } = await replayLog(path, (event) => {
    if (event.stream.startsWith('checkout-')) checkouts.fold(event.stream, checkouts.decode(event))
    else payments.fold(event.stream, payments.decode(event))
  })
  const seconds = (performance.now() - startedAt) / 1_000
  const confirmed = [...payments.states.values()].filter(({ status }) => status === 'confirmed').length
  if (!ok || confirmed !== sales || checkouts.states.size !== sales)
    throw new Error('the log differs from what was written')
  return events / seconds
}

/** Verifies a log without folding it; returns events per second. */
const verified = async (path: string): Promise<number> => {
  const startedAt = performance.now()
  const { events } = await verify(path)
  return (events * 1_000) / (performance.now() - startedAt)
}

/** Folds decoded events in memory; returns events per second. */
const inMemory = async (path: string): Promise<number> => {
  const [checkouts, payments] = [folding(Checkout), folding(Payment)]
  const folds: (() => void)[] = []
  const store = sqliteEventStore({ path, clock: Date.now, projections: [], readOnly: true })
  for await (const event of store.readAll(0n)) {
    const { stream } = event
    if (stream.startsWith('checkout-')) {
      const decoded = checkouts.decode(event)
      folds.push(() => checkouts.fold(stream, decoded))
    } else {
      const decoded = payments.decode(event)
      folds.push(() => payments.fold(stream, decoded))
    }
  }
  store.close()
  const startedAt = performance.now()
  for (const fold of folds) fold()
  return (folds.length * 1_000) / (performance.now() - startedAt)
}

const repeated = async (measure: () => Promise<number>): Promise<number> => {
  const figures: number[] = []
  for (let round = 0; round < rounds; round += 1) figures.push(await measure())
  return Math.round(median(figures))
}

const peakMegabytes = (): number => Math.round(process.resourceUsage().maxRSS / 1_024)

/** Events folded per second by the checkout and payment deciders, from a file with verified hashes and in memory. */
export const replay: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'sales')
    write(path)
    const before = peakMegabytes()
    const folded = await repeated(() => fromDisk(path))
    const peak = peakMegabytes()
    return {
      'events folded per second, from disk, hashes verified': folded,
      'peak memory before the first replay, MB': before,
      'peak memory after the replays from disk, MB': peak,
      'events verified per second, not folded': await repeated(() => verified(path)),
      'events folded per second, in memory': await repeated(() => inMemory(path)),
    }
  })
