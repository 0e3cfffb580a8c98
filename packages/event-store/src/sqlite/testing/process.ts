import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./appending-process.ts', import.meta.url))

export type AppendingProcess = {
  /** The ids that were acknowledged so far. */
  readonly acknowledged: () => ReadonlyArray<string>
  /** Resolves with the exit code, or the signal, once the process is gone. */
  readonly ended: Promise<number | string | null>
  readonly kill: () => void
}

/** Starts `appending-process.ts` with these arguments. */
export const startAppending = (...parameters: ReadonlyArray<string>): AppendingProcess => {
  const child = spawn(process.execPath, ['--no-warnings', script, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  return {
    acknowledged: () =>
      [...output.matchAll(/^acknowledged (.*)\n/gm)].flatMap(([, id]) => (id === undefined ? [] : [id])),
    ended: new Promise((resolve) => {
      child.on('close', (code, signal) => resolve(code ?? signal))
    }),
    kill: () => {
      child.kill('SIGKILL')
    },
  }
}

/** A path in a folder of its own, and how to remove that. */
export const temporaryFile = (): { readonly path: string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-store-'))
  return { path: join(folder, 'log.db'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
