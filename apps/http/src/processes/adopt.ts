import { once } from 'node:events'
import type { Server, Socket } from 'node:net'

/** Lets a server answer connections that were accepted elsewhere. */
export type Adopting = {
  readonly adopt: (connection: Socket) => void
  /** Resolves once they have ended: the server itself waits only for what it has accepted. */
  readonly ended: () => Promise<unknown>
}

export const adopting = (server: Server): Adopting => {
  const connections = new Set<Socket>()
  return {
    adopt: (connection) => {
      connections.add(connection)
      connection.once('close', () => connections.delete(connection))
      // As it is for connections that the server accepts.
      connection.allowHalfOpen = true
      server.emit('connection', connection)
      connection.resume()
    },
    ended: () => Promise.all([...connections].map((connection) => once(connection, 'close'))),
  }
}
