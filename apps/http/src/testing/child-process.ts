import { spawn } from 'node:child_process'
import { openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { clientOf } from './client.ts'
import { eventStoreOf } from './event-store.ts'
import { metricsAreAt } from './readiness.ts'
import { type Facts, factsIn, type Service } from './service.ts'

/** Many processes share one compile cache. */
export const compiledOnce: Environment = { NODE_COMPILE_CACHE: join(tmpdir(), 'quittance-compiled') }

const keepCompiled = new URL('./keep-compiled.ts', import.meta.url).href
const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const startMs = 120_000

export type ServiceProcess = Omit<Service, 'close' | 'metricsUrl'> & {
  /** Its standard output so far. */
  readonly output: () => string
  /** Ends it in order, and answers its exit code. */
  readonly stop: () => Promise<number | string | null>
  /** Kills it. */
  readonly kill: () => Promise<void>
  /** Resolves once it has ended, with its exit code or signal. */
  readonly ended: Promise<number | string | null>
}

export type Environment = Readonly<Record<string, string>>

/** The environment of a service on a data directory, on any port. */
export const environmentOf = async (dataDir: string, changes: Environment = {}): Promise<NodeJS.ProcessEnv> => ({
  ...process.env,
  ...compiledOnce,
  QUITTANCE_PORT: '0',
  QUITTANCE_DATA_DIR: dataDir,
  QUITTANCE_LOG_LEVEL: 'error',
  ...(await eventStoreOf(dataDir)),
  ...changes,
})

const spawnService = async (dataDir: string, environment: Environment = {}, output: number | 'pipe' = 'pipe') =>
  spawn(process.execPath, ['--no-warnings', '--import', keepCompiled, main], {
    stdio: ['ignore', output, 'pipe'],
    env: await environmentOf(dataDir, { QUITTANCE_PAYER_RATE_LIMIT: '100000', ...environment }),
  })

/** Starts the service and kills it after a delay, however far it is. */
export const startAndKill = async (dataDir: string, afterMs: number): Promise<void> => {
  const child = await spawnService(dataDir)
  const ended = new Promise((resolve) => child.once('close', resolve))
  await pause(afterMs)
  child.kill('SIGKILL')
  await ended
}

/** The service as a process with a sandbox node of its own, once its `sandbox.json` is there. */
export const startProcess = (dataDir: string, environment?: Environment, output?: string): Promise<ServiceProcess> => {
  rmSync(join(dataDir, 'sandbox.json'), { force: true })
  return startBeside(dataDir, environment, output)
}

/**
 * As `startProcess`, with the sandbox node of the process that serves the data directory. With `output`, its standard
 * output goes to that file.
 */
export const startBeside = async (
  dataDir: string,
  environment?: Environment,
  outputFile?: string,
): Promise<ServiceProcess> => {
  const child = await spawnService(dataDir, environment, outputFile === undefined ? 'pipe' : openSync(outputFile, 'w'))
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += String(chunk)
  })
  let complaints = ''
  child.stderr?.on('data', (chunk) => {
    complaints += String(chunk)
  })
  let outcome: number | string | null = null
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => {
      outcome = code ?? signal
      resolve(outcome)
    })
  })
  const deadline = AbortSignal.timeout(startMs)
  let facts: Facts | null = null
  while (facts === null) {
    if (outcome !== null || deadline.aborted) {
      child.kill('SIGKILL')
      throw new Error(`the service did not start (${outcome}): ${complaints}`)
    }
    await pause(20)
    const found = factsOf(dataDir)
    facts = found?.pid === child.pid ? found : null
  }
  const url = facts.base_url
  metricsAreAt(url, facts.metrics_url)
  return {
    dataDir,
    facts,
    url,
    api: clientOf(url, facts.api_key),
    anyone: clientOf(url, null),
    output: () => output,
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const factsOf = (dataDir: string): Facts | null => {
  try {
    return factsIn(dataDir)
  } catch {
    return null
  }
}
