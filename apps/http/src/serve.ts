import {
  type Config,
  type ConfigProblem,
  openPlatform,
  type Platform,
  runDeliverer,
  runWorkers,
  tellAlarm,
} from '@quittance/host'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { announceSandbox } from './announce-sandbox.ts'
import { createApp } from './app.ts'
import { metricsOf } from './metrics/serve-metrics.ts'
import type { Work } from './routes/sandbox.ts'
import { closeGracefully } from './wire/graceful-close.ts'

export type Served = {
  readonly url: string
  /** Where Prometheus reads measurements. */
  readonly metricsUrl: string
  /** What a newcomer to the sandbox is told; null without a sandbox. */
  readonly greeting: string | null
  readonly close: () => Promise<void>
}

/** Opens the platform, serves it over HTTP, and works off what is due, until closed. */
export const serve = async (config: Config): Promise<E.Either<ReadonlyArray<ConfigProblem>, Served>> => {
  let alarmed: FastifyInstance | null = null
  const opened = await openPlatform(
    config,
    (alarm) => {
      if (alarmed !== null) tellAlarm(alarmed.log, alarm)
    },
    (trouble, isOver, detail) => alarmed?.log.warn({ trouble, detail }, isOver ? 'rates: over' : 'rates: trouble'),
  )
  if (E.isLeft(opened)) return opened
  const platform = opened.right
  const { billing, sandbox, catchUp, readiness, workers, deliverer } = platform
  const { server } = await createApp(billing, {
    logLevel: config.logLevel,
    payerRateLimit: config.payerRateLimit,
    catchUp,
    readiness,
    sandbox:
      sandbox === null
        ? null
        : {
            sandbox: sandbox.sandbox,
            network: {
              rpcUrl: sandbox.rpcUrl,
              friendbotUrl: sandbox.friendbotUrl,
              networkPassphrase: sandbox.sandbox.networkPassphrase,
            },
            work: workOf(platform),
          },
  })
  alarmed = server
  const metrics = metricsOf(server, platform)
  const metricsAt = metricsAddress(config)
  const unusable =
    (await listen(server, config, 'QUITTANCE_PORT')) ?? (await listen(metrics, metricsAt, 'QUITTANCE_METRICS_PORT'))
  const closeServers = () => Promise.all([closeGracefully(server), metrics.close()])
  if (unusable !== null) {
    await closeServers()
    await platform.close()
    return E.left([unusable])
  }
  const metricsUrl = `${addressOf(metrics, metricsAt.host)}/metrics`
  server.log.info({ metricsUrl }, 'measurements can be read')
  const url = addressOf(server, config.host)
  platform.setPublicUrl(url)
  if (sandbox?.isOwn) sandbox.sandbox.start()

  const stop = new AbortController()
  const working = Promise.all([
    runWorkers(workers, server.log, stop.signal),
    runDeliverer(deliverer, server.log, stop.signal),
  ])
  const greeting = sandbox === null ? null : await announceSandbox(platform, sandbox, { url, metricsUrl })
  return E.right({
    url,
    metricsUrl,
    greeting,
    close: async () => {
      stop.abort()
      await Promise.all([closeServers(), working])
      await platform.close()
    },
  })
}

type Address = Pick<Config, 'port' | 'host'>

/** Measurements are for this machine alone, on any port, unless somebody has named one. */
const metricsAddress = ({ metricsPort, host }: Config): Address =>
  metricsPort === null ? { port: 0, host: '127.0.0.1' } : { port: metricsPort, host }

type Listening = 'QUITTANCE_PORT' | 'QUITTANCE_METRICS_PORT'

const listenProblems = (portOf: Listening): Readonly<Record<string, ConfigProblem>> => ({
  EADDRINUSE: { variable: portOf, expected: 'a port that is free, or 0 for any' },
  EACCES: { variable: portOf, expected: 'a port that this user may open' },
  EADDRNOTAVAIL: { variable: 'QUITTANCE_HOST', expected: 'an address of this machine' },
  ENOTFOUND: { variable: 'QUITTANCE_HOST', expected: 'an address of this machine' },
})

/** Null once it listens; otherwise what the operator has to put right. `portOf` is the variable that named the port. */
const listen = async (
  server: FastifyInstance,
  { port, host }: Address,
  portOf: Listening,
): Promise<ConfigProblem | null> => {
  try {
    await server.listen({ port, host })
    return null
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
    const problem = listenProblems(portOf)[code]
    if (problem === undefined) throw error
    return problem
  }
}

/** A step that is held up ends the settling: what is due then stays due, and the clock goes on without it. */
const workOf = ({ workers, deliverer }: Platform): Work => ({
  settle: async () => {
    for (const worker of workers) await worker.step()
    await deliverer.settle()
  },
  nextDue: async () => {
    const ledgers = await Promise.all(workers.map((worker) => worker.nextDue()))
    const dues = [...ledgers, deliverer.nextDue()].filter((due) => due !== null)
    return dues.length === 0 ? null : Math.min(...dues)
  },
})

const addressOf = (server: FastifyInstance, host: string): string => {
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}
