import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./appending-process.ts', import.meta.url))

export type AppendingProcess = {
  /** The acknowledged ids so far. */
  readonly acknowledged: () => ReadonlyArray<string>
  /** Resolves once it has printed this line; rejects if it ends without. */
  readonly printed: (line: string) => Promise<void>
  /** Writes a line to it. */
  readonly tell: (line: string) => void
  /** Resolves with the exit code or signal once the process has ended. */
  readonly ended: Promise<number | string | null>
  readonly signal: (name: NodeJS.Signals) => void
}

/** Starts `appending-process.ts` with these arguments. */
export const startAppending = (
  parameters: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
): AppendingProcess => startProcess(script, parameters, environment)

/** Starts a script with these arguments. */
export const startProcess = (
  path: string,
  parameters: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
): AppendingProcess => {
  const child = spawn(process.execPath, ['--no-warnings', path, ...parameters], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  let output = ''
  const watchers = new Set<() => void>()
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    for (const watch of [...watchers]) watch()
  })
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
  return {
    acknowledged: () =>
      [...output.matchAll(/^acknowledged (.*)\n/gm)].flatMap(([, id]) => (id === undefined ? [] : [id])),
    printed: (line) =>
      new Promise((resolve, reject) => {
        void ended.then(() => reject(new Error(`The process ended without ${line}, but with ${output}`)))
        const watch = (): void => {
          if (!output.includes(`${line}\n`)) return
          watchers.delete(watch)
          resolve()
        }
        watchers.add(watch)
        watch()
      }),
    tell: (line) => void child.stdin.write(`${line}\n`),
    ended,
    signal: (name) => void child.kill(name),
  }
}
