import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { configFrom } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { type Client, clientOf } from './client.ts'
import { eventStoreOf, removeEventStoreOf } from './event-store.ts'
import { metricsAreAt } from './readiness.ts'
import { serve } from './serve.ts'

/** The content of `sandbox.json`. */
export type Facts = {
  readonly base_url: string
  readonly api_key: string
  readonly merchant_id: string
  readonly rpc_url: string
  readonly friendbot_url: string
  readonly network_passphrase: string
  readonly assets: ReadonlyArray<{ readonly asset_id: string; readonly code: string; readonly issuer: string | null }>
  readonly pid: number
  readonly metrics_url: string
  /** Closes ledgers as long as some work waits for them. Absent where the ledger keeps its own pace. */
  readonly hurry?: Hurry
}

type Hurry = <A>(work: Promise<A>) => Promise<A>

export const factsIn = (dataDir: string): Facts => JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8'))

export const temporaryDirectory = (): { readonly path: string; readonly remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'quittance-http-'))
  const remove = (): void => {
    removeEventStoreOf(path)
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
  return { path, remove }
}

export type Service = {
  readonly dataDir: string
  readonly facts: Facts
  readonly url: string
  /** The address of the metrics. */
  readonly metricsUrl: string
  /** Requests with the sandbox's key. */
  readonly api: Client
  /** Requests without a key. */
  readonly anyone: Client
  readonly close: () => Promise<void>
}

/** Each turn is a second of the sandbox's time. */
export const hurryOn =
  (api: Client): Hurry =>
  async (work) => {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    while (!isDone) {
      await Promise.race([done, pause(15)])
      if (!isDone) await api('/sandbox/advance', { body: { seconds: 1 } })
    }
    return done
  }

/** The whole service in this process, on a data directory that outlives it. */
export const openService = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> => {
  const config = configFrom({
    QUITTANCE_PORT: '0',
    QUITTANCE_DATA_DIR: dataDir,
    QUITTANCE_LOG_LEVEL: 'silent',
    ...settings,
  })
  if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
  const served = await serve(config.right)
  if (E.isLeft(served)) throw new Error(JSON.stringify(served.left))
  const { url, metricsUrl, close } = served.right
  metricsAreAt(url, metricsUrl)
  const facts = factsIn(dataDir)
  return { dataDir, facts, url, metricsUrl, api: clientOf(url, facts.api_key), anyone: clientOf(url, null), close }
}

/** The same on its own temporary data directory. */
export const startService = async (environment: Readonly<Record<string, string>> = {}): Promise<Service> => {
  const directory = temporaryDirectory()
  const service = await openService(directory.path, {
    QUITTANCE_PAYER_RATE_LIMIT: '100000',
    ...(await eventStoreOf(directory.path)),
    ...environment,
  })
  const { api, facts } = service
  const hurry = hurryOn(api)
  return {
    ...service,
    facts: { ...facts, hurry },
    api: (path, request) => (path === '/sandbox/pay' ? hurry(api(path, request)) : api(path, request)),
    close: async () => {
      await service.close()
      directory.remove()
    },
  }
}
