import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

export type WorkerProcess = {
  /** Resolves with the first line of the log that has this message. */
  readonly logged: (message: string) => Promise<Readonly<Record<string, unknown>>>
  /** Resolves once the process is gone. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly stderr: string }>
  readonly kill: (signal: NodeJS.Signals) => void
}

/** Starts the worker with these settings alone. */
export const startWorker = (settings: Readonly<Record<string, string>>): WorkerProcess => {
  const child = spawn(process.execPath, [main], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: Array<Readonly<Record<string, unknown>>> = []
  const log = createInterface({ input: child.stdout })
  log.on('line', (line) => {
    try {
      lines.push(JSON.parse(line))
    } catch (cause) {
      // A process that is killed may leave half a line.
      if (!(cause instanceof SyntaxError)) throw cause
    }
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr }))
  return {
    logged: async (message) => {
      const deadline = AbortSignal.timeout(120_000)
      for (;;) {
        const found = lines.find(({ msg }) => msg === message)
        if (found !== undefined) return found
        await once(log, 'line', { signal: deadline })
      }
    },
    ended,
    kill: (signal) => {
      child.kill(signal)
    },
  }
}
