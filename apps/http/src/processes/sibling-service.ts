import { Socket } from 'node:net'
import { type Closers, closeAll, type PublicAddress } from '@quittance/host'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import type { MakeApp } from '../app.ts'
import { measureRequests } from '../metrics/request-times.ts'
import { closeGracefully } from '../wire/graceful-close.ts'
import { adopting } from './adopt.ts'
import { type MainProcess, Order, type Told } from './messages.ts'

const tellEachMs = 1_000

/** Answers the connections that the main process hands over, until that tells it to stop. */
export type SiblingService = { readonly run: () => Promise<void> }

export const siblingService = (
  makeApp: MakeApp,
  server: FastifyInstance,
  publicAddress: PublicAddress,
  main: MainProcess,
  closers: Closers,
): SiblingService => ({
  run: async () => {
    const registry = new Registry()
    measureRequests(server, registry)
    await makeApp()
    // A server that does not listen itself would not cut off slow clients, nor close idle connections at its end.
    await server.listen({
      port: 0,
      host: '127.0.0.1',
      listenTextResolver: (at) => `A further process answers at ${at}`,
    })
    publicAddress.listensAt(main.url)
    const connections = adopting(server.server)
    const tell = async (): Promise<void> => {
      const told: Told = { requests: await registry.getMetricsAsJSON() }
      if (process.connected) process.send?.(told)
    }
    const stopped = new Promise<void>((resolve) => {
      process.on('message', (order, connection) => {
        if (!Order.is(order)) return
        if (order === 'stop') resolve()
        // A client that has left in between comes as no connection.
        else if (connection instanceof Socket) connections.adopt(connection)
      })
    })
    await tell()
    const telling = setInterval(tell, tellEachMs)
    await stopped
    clearInterval(telling)
    await closeGracefully(server, connections)
    await closeAll(closers)
  },
})
