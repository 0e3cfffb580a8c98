import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** What a process counts, to die before one of them: its changes of files, or the statements that it sends to PostgreSQL. */
const steps = {
  file: { variable: 'QUITTANCE_TEST_DIE_AT_FILE_STEP', preload: './die-at-file-step.ts' },
  statement: { variable: 'QUITTANCE_TEST_DIE_AT_STATEMENT', preload: './die-at-statement.ts' },
} as const

type Settings = Readonly<Record<string, string>>

/** Runs a command that dies right before its step of that number; false if it has less. */
export const isKilledAt = (
  kind: keyof typeof steps,
  step: number,
  words: ReadonlyArray<string>,
  settings: Settings,
): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const { variable, preload } = steps[kind]
    const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', [variable]: String(step), ...settings }
    const nodeWords = ['--import', new URL(preload, import.meta.url).href, main, ...words]
    const child = execFile(process.execPath, nodeWords, { env }, (_, __, stderr) => {
      if (child.signalCode === 'SIGKILL') resolve(true)
      else if (child.exitCode === 0) resolve(false)
      else reject(new Error(stderr))
    })
  })
