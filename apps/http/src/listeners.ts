import { once } from 'node:events'
import type { Server } from 'node:net'
import type { Config, ConfigProblem } from '@quittance/host'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { adopting } from './processes/adopt.ts'
import { dealing } from './processes/deal.ts'
import type { Siblings } from './processes/siblings.ts'
import { closeGracefully } from './wire/graceful-close.ts'

export type Addresses = {
  readonly url: string
  readonly metricsUrl: string
}

/** The servers of the API and of the metrics. */
export type Listeners = {
  /** Errors: an address that cannot be used. */
  readonly listen: () => Promise<E.Either<ConfigProblem, Addresses>>
  readonly close: () => Promise<unknown>
}

/** With `siblings`, connections are dealt out to them and to this process. */
export const listeners = (
  config: Config,
  server: FastifyInstance,
  metrics: FastifyInstance,
  siblings: Siblings | null,
): Listeners => {
  const front = siblings === null ? null : shared(server, siblings)
  return {
    listen: async () => {
      const metricsAt = metricsAddress(config)
      const problem =
        (await listen(front ?? server, config, 'QUITTANCE_PORT')) ??
        (await listen(metrics, metricsAt, 'QUITTANCE_METRICS_PORT'))
      if (problem !== null) return E.left(problem)
      const metricsUrl = `${addressOf(metrics.server, metricsAt.host)}/metrics`
      server.log.info({ metricsUrl }, 'metrics can be read')
      const url = addressOf(front?.server ?? server.server, config.host)
      siblings?.start({ url, metricsUrl })
      return E.right({ url, metricsUrl })
    },
    close: () => {
      front?.server.close()
      return Promise.all([closeGracefully(server, front), siblings?.stop(), metrics.close()])
    },
  }
}

/** A server of connections that this process and its siblings answer. */
const shared = (server: FastifyInstance, { takers }: Siblings) => {
  const { adopt, ended } = adopting(server.server)
  const front = dealing(() => [adopt, ...takers()])
  return {
    ended,
    server: front,
    listen: async ({ port, host }: Address): Promise<void> => {
      // Nobody needs its own port. A server that does not listen would not cut off slow clients.
      await server.listen({ port: 0, host: '127.0.0.1', listenTextResolver: (at) => `This process answers at ${at}` })
      front.listen(port, host)
      await once(front, 'listening')
      server.log.info(`Server listening at ${addressOf(front, host)}`)
    },
  }
}

type Address = Pick<Config, 'port' | 'host'>

/** Metrics are for this machine alone, on any port, unless a port is configured. */
const metricsAddress = ({ metricsPort, host }: Config): Address =>
  metricsPort === null ? { port: 0, host: '127.0.0.1' } : { port: metricsPort, host }

type Listening = 'QUITTANCE_PORT' | 'QUITTANCE_METRICS_PORT'

const listenProblems = (portOf: Listening): Readonly<Record<string, ConfigProblem>> => ({
  EADDRINUSE: { variable: portOf, expected: 'a port that is free, or 0 for any' },
  EACCES: { variable: portOf, expected: 'a port that this user may open' },
  EADDRNOTAVAIL: { variable: 'QUITTANCE_HOST', expected: 'an address of this machine' },
  ENOTFOUND: { variable: 'QUITTANCE_HOST', expected: 'an address of this machine' },
})

/** Null once it listens; otherwise the problem. `portOf` is the variable that named the port. */
const listen = async (
  server: { readonly listen: (at: Address) => Promise<unknown> },
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

const addressOf = (server: Server, host: string): string => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}
