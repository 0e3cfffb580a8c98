import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dieAtStep } from './crash-points.ts'
import { eventStoreOf } from './event-store.ts'

const main = fileURLToPath(new URL('./mortal-main.ts', import.meta.url))

/** A request with a key, as it is sent any number of times. */
export type KeyedRequest = {
  readonly method: string
  readonly path: string
  /** Undefined: it has none. */
  readonly body: string | undefined
  readonly key: string
}

/** A service process that dies where a request wants it to. */
export type Mortal = {
  /** Its answer, parsed; null when it died before. */
  readonly ask: (request: KeyedRequest, step: number) => Promise<unknown>
  readonly kill: () => Promise<void>
}

/** Starts one on the data directory of another service, beside it. */
export const startMortal = async (
  dataDir: string,
  apiKey: string,
  environment: Readonly<Record<string, string>>,
): Promise<Mortal> => {
  const child = fork(main, {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(dataDir, 'compiled'),
      QUITTANCE_PORT: '0',
      QUITTANCE_DATA_DIR: dataDir,
      QUITTANCE_LOG_LEVEL: 'error',
      ...(await eventStoreOf(dataDir)),
      ...environment,
    },
  })
  const ended = new Promise<string | null>((resolve) => child.once('close', (_, signal) => resolve(signal)))
  const url = await Promise.race([
    new Promise((resolve) => child.once('message', resolve)),
    ended.then((signal) => Promise.reject(new Error(`it did not start: ${signal}`))),
  ])
  return {
    ask: async ({ method, path, body, key }, step) => {
      const headers = { 'x-api-key': apiKey, 'idempotency-key': key, [dieAtStep]: String(step) }
      const sent =
        body === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body }
      try {
        const response = await fetch(`${url}${path}`, { method, ...sent })
        return await response.json()
      } catch (cause) {
        if ((await ended) !== 'SIGKILL') throw cause
        return null
      }
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
