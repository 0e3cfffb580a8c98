import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./appending-process.ts', import.meta.url))

export type AppendingProcess = {
  /** The acknowledged ids so far. */
  readonly acknowledged: () => ReadonlyArray<string>
  /** Resolves with the exit code or signal once the process has ended. */
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

/** A path in a temporary folder, and a function that removes it. */
export const temporaryFile = (): { readonly path: string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-store-'))
  return { path: join(folder, 'log.db'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
