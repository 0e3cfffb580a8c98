import type { Config, ConfigProblem } from '@quittance/host'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
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

export const listeners = (config: Config, server: FastifyInstance, metrics: FastifyInstance): Listeners => ({
  listen: async () => {
    const metricsAt = metricsAddress(config)
    const problem =
      (await listen(server, config, 'QUITTANCE_PORT')) ?? (await listen(metrics, metricsAt, 'QUITTANCE_METRICS_PORT'))
    if (problem !== null) return E.left(problem)
    const metricsUrl = `${addressOf(metrics, metricsAt.host)}/metrics`
    server.log.info({ metricsUrl }, 'metrics can be read')
    return E.right({ url: addressOf(server, config.host), metricsUrl })
  },
  close: () => Promise.all([closeGracefully(server), metrics.close()]),
})

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

const addressOf = (server: FastifyInstance, host: string): string => {
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}
