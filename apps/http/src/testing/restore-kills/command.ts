import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compiledOnce } from '../child-process.ts'

const quittance = fileURLToPath(new URL('../../../../cli/src/main.ts', import.meta.url))
const dieAtFileStep = new URL('../../../../cli/src/testing/die-at-file-step.ts', import.meta.url).href

/** Where a command is killed: right before its change of files of that number, or after a time. */
export type CommandDeath =
  | { readonly _tag: 'file step'; readonly step: number }
  | { readonly _tag: 'moment'; readonly afterMs: number }

/** How a command ended. A command that ends before its death is not killed. */
export type Ended = {
  readonly isKilled: boolean
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line on a data directory, in its own process. */
export const runCommand = (
  dataDir: string,
  words: ReadonlyArray<string>,
  death: CommandDeath | null = null,
): Promise<Ended> =>
  new Promise((resolve) => {
    const step = death?._tag === 'file step' ? { QUITTANCE_TEST_DIE_AT_FILE_STEP: String(death.step) } : {}
    const child = spawn(process.execPath, ['--no-warnings', '--import', dieAtFileStep, quittance, ...words, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...compiledOnce, ...step, QUITTANCE_DATA_DIR: dataDir },
    })
    if (death?._tag === 'moment') setTimeout(() => child.kill('SIGKILL'), death.afterMs).unref()
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk)
    })
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk)
    })
    child.once('close', (status, signal) => resolve({ isKilled: signal === 'SIGKILL', status, stdout, stderr }))
  })
