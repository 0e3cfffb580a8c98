import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { compiledOnce } from './child-process.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const startMs = 120_000

export type ConfiguredProcess = {
  readonly url: string
  /** The lines of its log so far. */
  readonly log: ReadonlyArray<string>
  /** Ends it in order, and answers its exit code. */
  readonly stop: () => Promise<number | null>
}

/** The service as a process with these settings alone, once it listens. Throws its complaints when it ends before. */
export const startConfigured = async (settings: Readonly<Record<string, string>>): Promise<ConfiguredProcess> => {
  const env = { ...compiledOnce, QUITTANCE_PORT: '0', ...settings, QUITTANCE_LOG_LEVEL: 'info' }
  const child = spawn(process.execPath, ['--no-warnings', main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const log: Array<string> = []
  const lines = createInterface({ input: child.stdout })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  const ended = once(child, 'close').then(([code]: ReadonlyArray<unknown>) => (typeof code === 'number' ? code : null))
  const listening = new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      log.push(line)
      const url = /"Server listening at (http:\/\/[^"]+)"/.exec(line)?.[1]
      // The metrics server listens second, and is not in this log.
      if (url !== undefined) resolve(url)
    })
    void ended.then(() => reject(new Error(`the service did not start: ${complaints}`)))
    AbortSignal.timeout(startMs).addEventListener('abort', () => reject(new Error('the service does not listen')))
  })
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    return ended
  }
  try {
    return { url: await listening, log, stop }
  } catch (failure) {
    await stop()
    throw failure
  }
}
