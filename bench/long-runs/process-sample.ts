import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { processorMsOf } from '../comparing/processor-time.ts'

const mega = 1_000_000
const rounded = (value: number): number => Math.round(value * 100) / 100

/** Fields of `/proc/<pid>/status` in MB. */
const memoryOf = (pid: number) => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mbOf = (field: string): number =>
    rounded((1_024 * Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1])) / mega)
  return { residentMb: mbOf('VmRSS'), anonymousMb: mbOf('RssAnon') }
}

/** The sizes of a data directory's files, in MB; without the sandbox's network. */
const filesIn = (dataDir: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    readdirSync(dataDir)
      .filter((name) => /\.db(-wal)?$/.test(name) && !name.startsWith('sandbox.'))
      .toSorted()
      .map((name) => [name, rounded(statSync(join(dataDir, name)).size / mega)]),
  )

/** What a service tells of itself, and what the machine tells of its process. */
export const sampleOf = async (service: {
  readonly pid: number
  readonly dataDir: string
  readonly metricsUrl: string
}) => {
  const { pid, dataDir, metricsUrl } = service
  const metrics = await (await fetch(metricsUrl)).text()
  const gauge = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
  return {
    ...memoryOf(pid),
    heapMb: rounded(gauge('nodejs_heap_size_used_bytes') / mega),
    externalMb: rounded(gauge('nodejs_external_memory_bytes') / mega),
    events: gauge('quittance_log_events'),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    processorMs: processorMsOf(pid),
    files: filesIn(dataDir),
  }
}
