import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPeerProcess } from '@quittance/event-store/testing/peer/process'
import type { Benchmark } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const events = 200_000
const eventsPerSale = 10

const program = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const run = (script: string, ...words: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, ['--no-warnings', program(script), ...words], { encoding: 'utf8', env: {} })

/** Copies a log with the command line, including all verification; answers its output and the seconds it took. */
const copied = (from: string, to: string) => {
  const startedAt = performance.now()
  const answer = JSON.parse(run('../apps/cli/src/main.ts', 'copy', '--from', from, '--to', to, '--json'))
  return { seconds: (performance.now() - startedAt) / 1_000, answer }
}

/** Copies a log of paid sales from a file to the protocol peer in its own process, and back into another file. */
export const copy: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const [source, target] = [join(folder, 'source.db'), join(folder, 'target.db')]
    run('./write-sales.ts', source, String(events / eventsPerSale))
    const peer = await startPeerProcess(folder, 0)
    const report: Record<string, number | string> = {}
    for (const [name, from, to] of [
      ['file to peer', source, peer.connectionString],
      ['peer to file', peer.connectionString, target],
    ] as const) {
      const { seconds, answer } = copied(from, to)
      report[`${name}: events`] = answer.events
      report[`${name}: seconds, copied and verified`] = seconds
      report[`${name}: events per second`] = answer.events / seconds
      report[`${name}: verified`] = answer.ok ? 'yes' : 'NO'
    }
    await peer.kill('SIGTERM')
    return report
  })
