import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CopyTarget, copyLog, intoServer, intoSqlite, intoStore } from '@quittance/event-store/copy'
import { type EventStoreDb, eventStoreDb } from '@quittance/event-store/eventstoredb'
import { intoPostgres, postgresLogReader } from '@quittance/event-store/postgres'
import { startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { sqliteEventStore } from '@quittance/event-store/sqlite'
import { startPeerProcess } from '@quittance/event-store/testing/peer/process'
import { type Benchmark, median } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const events = 200_000
const eventsToDatabase = 100_000
const eventsPerSale = 10
const [eventsOfRound, rounds] = [20_000, 3]

const program = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const run = (words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): string =>
  execFileSync(process.execPath, ['--no-warnings', ...words], { encoding: 'utf8', env })

/** Copies a log with the command line, including all verification; answers its output, its time and its longest turn. */
const copied = (from: string, to: string, folder: string) => {
  const startedAt = performance.now()
  const delayFile = join(mkdtempSync(join(folder, 'delay-')), 'ms')
  const words = [program('../apps/cli/src/main.ts'), 'copy', '--from', from, '--to', to, '--json']
  const answer = JSON.parse(run(['--import', program('./loop-delay.ts'), ...words], { BENCH_LOOP_DELAY: delayFile }))
  const seconds = (performance.now() - startedAt) / 1_000
  return { seconds, answer, longestTurnMs: Number(readFileSync(delayFile, 'utf8')) }
}

const writings = {
  'one append at a time': intoStore,
  'appends in order over one call': intoServer,
} as const

/** Copies the first events alone, without any proof of the copy, to an empty peer; answers events per second. */
const written = async (path: string, into: (store: EventStoreDb) => CopyTarget, folder: string): Promise<number> => {
  const peer = await startPeerProcess(mkdtempSync(join(folder, 'peer-')), 0)
  const store = eventStoreDb({ connectionString: peer.connectionString, clock: Date.now, deadlineMs: 10_000 })
  const source = sqliteEventStore({ path, clock: Date.now, projections: [], readOnly: true })
  const startedAt = performance.now()
  const outcome = await copyLog({ source, target: into(store), onProgress: () => {} })()
  const seconds = (performance.now() - startedAt) / 1_000
  source.close()
  await store.close()
  await peer.kill('SIGTERM')
  if (outcome._tag === 'Left') throw new Error(outcome.left._tag)
  return outcome.right.copied / seconds
}

/** Rounds alternate; the figures are medians over the rounds. */
const compareWritings = async (folder: string): Promise<Record<string, number>> => {
  const path = join(folder, 'small.db')
  run([program('./write-sales.ts'), path, String(eventsOfRound / eventsPerSale)])
  const rates = new Map<string, Array<number>>(Object.keys(writings).map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const [name, into] of Object.entries(writings)) rates.get(name)?.push(await written(path, into, folder))
  const [slow, fast] = [...rates.values()].map(median)
  return {
    ...Object.fromEntries([...rates].map(([name, each]) => [`file to peer, ${name}: events per second`, median(each)])),
    'file to peer, in order over one call: times as fast': (fast ?? 0) / (slow ?? 0),
  }
}

type Rate = { readonly perSecond: number; readonly processorMicroseconds: number }
type Closing = { readonly close: () => void | Promise<void> }

/** Copies a whole log without the proof of the copy; answers events per second, and the own processor time of one. */
const rateOf = async (
  source: Parameters<typeof copyLog>[0]['source'] & Closing,
  target: CopyTarget & Closing,
): Promise<Rate> => {
  const [startedAt, before] = [performance.now(), process.cpuUsage()]
  const outcome = await copyLog({ source, target, onProgress: () => {} })()
  const seconds = (performance.now() - startedAt) / 1_000
  const used = process.cpuUsage(before)
  await target.close()
  await source.close()
  if (outcome._tag === 'Left') throw new Error(outcome.left._tag)
  const { copied } = outcome.right
  return { perSecond: copied / seconds, processorMicroseconds: (used.user + used.system) / copied }
}

/**
 * Copies a log of paid sales from a file to PostgreSQL and back: the logs alone, in alternating rounds, and then once with
 * the command line, with read models and all proofs. Starts a server of its own from the installed binaries.
 */
export const copyPostgres: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const cluster = await startCluster(['shared_buffers = 128MB', 'max_wal_size = 4GB'])
    try {
      const [source, target] = [join(folder, 'source.db'), join(folder, 'target.db')]
      run([program('./write-sales.ts'), source, String(eventsToDatabase / eventsPerSale)])
      const [there, back]: readonly [Array<Rate>, Array<Rate>] = [[], []]
      for (let round = 0; round < rounds; round += 1) {
        const at = { connectionString: cluster.connectionString, schema: cluster.newSchema() }
        const file = sqliteEventStore({ path: source, clock: Date.now, projections: [], readOnly: true })
        there.push(await rateOf(file, await intoPostgres(at)))
        const log = await postgresLogReader(at)
        if (log === null) throw new Error('there is no log')
        back.push(await rateOf(log, intoSqlite(join(folder, `round-${round}.db`))))
      }
      const report: Record<string, number | string> = {}
      for (const [name, each] of [
        ['file to PostgreSQL', there],
        ['PostgreSQL to file', back],
      ] as const) {
        report[`${name}: events per second`] = median(each.map(({ perSecond }) => perSecond))
        report[`${name}: own processor time of an event, µs`] = median(each.map((rate) => rate.processorMicroseconds))
      }
      for (const [name, from, to] of [
        ['file to PostgreSQL', source, cluster.connectionString],
        ['PostgreSQL to file', cluster.connectionString, target],
      ] as const) {
        const { seconds, answer, longestTurnMs } = copied(from, to, folder)
        report[`${name}, all proven: events per second`] = answer.events / seconds
        report[`${name}: longest turn of the event loop, processor time in ms`] = longestTurnMs
        report[`${name}: verified`] = answer.ok ? 'yes' : 'NO'
      }
      return report
    } finally {
      await cluster.remove()
    }
  })

/**
 * Compares two ways to write to a server, then copies a log of paid sales from a file to the protocol peer in its own process, and back into another
 * file. `--ratios-only` and `--proofs-only` do one half.
 */
export const copy: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const [source, target] = [join(folder, 'source.db'), join(folder, 'target.db')]
    const ratios = flags.includes('--proofs-only') ? {} : await compareWritings(folder)
    if (flags.includes('--ratios-only')) return ratios
    run([program('./write-sales.ts'), source, String(events / eventsPerSale)])
    const peer = await startPeerProcess(folder, 0)
    const report: Record<string, number | string> = { ...ratios }
    for (const [name, from, to] of [
      ['file to peer', source, peer.connectionString],
      ['peer to file', peer.connectionString, target],
    ] as const) {
      const { seconds, answer, longestTurnMs } = copied(from, to, folder)
      report[`${name}: events`] = answer.events
      report[`${name}: seconds, copied and verified`] = seconds
      report[`${name}: events per second`] = answer.events / seconds
      report[`${name}: longest turn of the event loop, processor time in ms`] = longestTurnMs
      report[`${name}: verified`] = answer.ok ? 'yes' : 'NO'
    }
    await peer.kill('SIGTERM')
    return report
  })
