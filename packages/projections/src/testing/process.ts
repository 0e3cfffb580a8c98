import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const scripts = {
  appending: fileURLToPath(new URL('./appending-process.ts', import.meta.url)),
  appendingToPostgres: fileURLToPath(new URL('../postgres/testing/appending-process.ts', import.meta.url)),
  projecting: fileURLToPath(new URL('../postgres/testing/projecting-process.ts', import.meta.url)),
  rebuilding: fileURLToPath(new URL('./rebuilding-process.ts', import.meta.url)),
}

export type Child = {
  /** Resolves with the next line that it says; null when it ends before that. */
  readonly line: () => Promise<string | null>
  /** Writes a line to it. */
  readonly tell: (line: string) => void
  /** Ends its input, which tells it to stop. */
  readonly stop: () => void
  readonly kill: () => void
  /** Pauses it, as the system does to a machine that sleeps. */
  readonly pause: () => void
  readonly resume: () => void
  /** Resolves with the exit code, or the signal, once the process is gone. */
  readonly ended: Promise<number | string | null>
}

/** Starts one of the scripts as a process of its own. */
export const startChild = (script: keyof typeof scripts, ...parameters: ReadonlyArray<string>): Child => {
  const child = spawn(process.execPath, ['--no-warnings', scripts[script], ...parameters], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = lineByLine(child.stdout)
  return {
    line: async () => {
      const { value, done } = await lines.next()
      return done === true ? null : value
    },
    tell: (line) => void child.stdin.write(`${line}\n`),
    stop: () => void child.stdin.end(),
    kill: () => void child.kill('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    ended: new Promise((resolve) => {
      child.on('close', (code, signal) => resolve(code ?? signal))
    }),
  }
}

async function* lineByLine(stream: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let rest = ''
  for await (const chunk of stream) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** A folder of its own, and how to remove it. */
export const temporaryFolder = (): { readonly path: (name: string) => string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-projections-'))
  return { path: (name) => join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
