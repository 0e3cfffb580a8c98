import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configFrom, openPlatform, type Platform } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { quittance } from '../quittance.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** The outcome of one run of the command line. */
export type Run = { readonly status: number; readonly stdout: string; readonly stderr: string }

/** The time limit of a test that starts processes, on a machine under load. */
export const processMs = 60_000

/** Runs the command line in its own process, with these settings alone (and Node's compile cache). */
export const runCli = (settings: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>): Promise<Run> =>
  new Promise((resolve, reject) => {
    const env = { ...settings, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
    const child = execFile(process.execPath, [main, ...words], { env }, (_, stdout, stderr) => {
      if (child.exitCode === null) reject(new Error(`it was ended by ${child.signalCode}: ${stderr}`))
      else resolve({ status: child.exitCode, stdout, stderr })
    })
  })

/** As `runCli`, where no file may grow beyond so many blocks of 512 bytes: a write beyond fails, as on a full disk. */
export const runOnFullDisk = (
  blocks: number,
  settings: Readonly<Record<string, string>>,
  ...words: ReadonlyArray<string>
): Promise<Run> =>
  new Promise((resolve) => {
    const limited = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, main, ...words]
    const child = execFile('sh', limited, { env: { ...settings } }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    )
  })

/** Runs the command line in this process, which is faster. */
export const runInside = async (
  settings: Readonly<Record<string, string>>,
  ...words: ReadonlyArray<string>
): Promise<Run> => {
  let shown = ''
  const screen = {
    isTerminal: false,
    showsOutput: false,
    write: (text: string) => {
      shown += text
    },
  }
  const { status, stdout, stderr } = await quittance(words, settings, screen)
  return { status, stdout, stderr: `${shown}${stderr}` }
}

/** The JSON value that a run printed. Throws unless it succeeded and printed nothing else. */
export const printed = ({ status, stdout, stderr }: Run): unknown => {
  if (status !== 0 || stderr !== '') throw new Error(`status ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

/** The exit status and the error code of a run that printed an error as JSON. */
export const refusalOf = ({ status, stderr }: Run): readonly [number, string] => [status, JSON.parse(stderr).code]

/** A new data directory, and the operations on it. */
export type TestDirectory = {
  readonly path: string
  /** Runs the command line in its own process. */
  readonly run: (...words: ReadonlyArray<string>) => Promise<Run>
  /** Runs it in this process, which is faster. */
  readonly inside: (...words: ReadonlyArray<string>) => Promise<Run>
  /** The value that is printed `inside` with `--json`. Throws unless the run succeeds and prints nothing else. */
  readonly json: (...words: ReadonlyArray<string>) => Promise<unknown>
  /** The exit status and the error code that is printed `inside` with `--json`. */
  readonly refusal: (...words: ReadonlyArray<string>) => Promise<readonly [number, string]>
  /** Opens it in this process during `work`. */
  readonly opened: <A>(work: (platform: Platform) => A | Promise<A>) => Promise<A>
  /** Runs the workers for four ledgers. */
  readonly served: () => Promise<void>
  readonly remove: () => void
}

/** Puts the events of a data directory on a server. */
export type EventsElsewhere = {
  /** The settings that name the server. */
  readonly of: (path: string) => Promise<Readonly<Record<string, string>>>
  readonly remove: (path: string) => void
}

const inItself: EventsElsewhere = { of: () => Promise.resolve({}), remove: () => {} }

export const testDirectory = (events = inItself): TestDirectory => {
  const path = mkdtempSync(join(tmpdir(), 'quittance-cli-'))
  const settings = async (): Promise<Readonly<Record<string, string>>> => ({
    QUITTANCE_DATA_DIR: path,
    ...(await events.of(path)),
  })
  const inside = async (...words: ReadonlyArray<string>): Promise<Run> => runInside(await settings(), ...words)
  const opened: TestDirectory['opened'] = async (work) => {
    const config = configFrom(await settings())
    if (E.isLeft(config)) throw new Error('the settings are wrong')
    const platform = await openPlatform(config.right)
    if (E.isLeft(platform)) throw new Error('it does not open')
    try {
      return await work(platform.right)
    } finally {
      await platform.right.close()
    }
  }
  return {
    path,
    run: async (...words) => runCli(await settings(), ...words),
    inside,
    json: async (...words) => printed(await inside(...words, '--json')),
    refusal: async (...words) => refusalOf(await inside(...words, '--json')),
    opened,
    served: () =>
      opened(async ({ workers, sandbox }) => {
        for (let ledgers = 0; ledgers < 4; ledgers++) {
          for (const worker of workers) await worker.step()
          sandbox?.sandbox.close()
        }
        for (const worker of workers) await worker.step()
      }),
    remove: () => {
      events.remove(path)
      rmSync(path, { recursive: true, force: true })
    },
  }
}
