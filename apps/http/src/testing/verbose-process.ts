import { spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentOf } from './child-process.ts'
import { eventually } from './eventually.ts'
import { type Facts, factsIn } from './service.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** The output file in the data directory. */
export const outputName = 'output.log'

/** Runs the service as a process that logs everything to a file, during `work`. */
export const withVerboseProcess = async <A>(dataDir: string, work: (facts: Facts) => Promise<A>): Promise<A> => {
  const output = openSync(join(dataDir, outputName), 'w')
  const child = spawn(process.execPath, ['--no-warnings', main], {
    stdio: ['ignore', output, output],
    env: await environmentOf(dataDir, {
      QUITTANCE_LOG_LEVEL: 'trace',
      QUITTANCE_PUBLIC_URL: 'https://pay.shop.example',
    }),
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    const started = async () => (readdirSync(dataDir).includes('sandbox.json') ? factsIn(dataDir) : null)
    const facts = await eventually(started, (found) => found !== null)
    if (facts === null) throw new Error('the service did not start')
    return await work(facts)
  } finally {
    child.kill('SIGTERM')
    await ended
    closeSync(output)
  }
}
