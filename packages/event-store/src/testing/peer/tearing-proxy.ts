import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type TearingProxy = {
  readonly connectionString: string
  /** Ends a connection after this many more bytes from the server, counted over all connections. */
  readonly tearAfter: (bytes: number) => void
  readonly tears: () => number
  readonly close: () => void
}

/** A proxy between client and server on 127.0.0.1 that cuts the server's data in the middle. For tests. */
export const startTearingProxy = async (port: number): Promise<TearingProxy> => {
  const sockets = new Set<Socket>()
  let [bytesLeft, tears] = [Number.POSITIVE_INFINITY, 0]
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  }
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    for (const socket of [client, server]) keep(socket)
    client.pipe(server)
    server.on('end', () => client.end())
    server.on('data', (chunk) => {
      if (chunk.length < bytesLeft) {
        bytesLeft -= chunk.length
        client.write(chunk)
        return
      }
      client.end(chunk.subarray(0, bytesLeft))
      server.destroy()
      bytesLeft = Number.POSITIVE_INFINITY
      tears += 1
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  return {
    connectionString: `esdb://127.0.0.1:${address.port}?tls=false`,
    tearAfter: (bytes) => {
      bytesLeft = bytes
    },
    tears: () => tears,
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
