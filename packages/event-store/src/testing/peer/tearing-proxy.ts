import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type TearingProxy = {
  readonly connectionString: string
  /** Ends a connection after this many more bytes from the server, counted over all connections. */
  readonly tearAfter: (bytes: number) => void
  /**
   * As `tearAfter`, but at the end of an HTTP/2 frame and with an error (GOAWAY, INTERNAL_ERROR), as a server does whose
   * keep-alive the client has not answered.
   */
  readonly closeAfter: (bytes: number) => void
  /** How many connections it has ended in either way. */
  readonly tears: () => number
  readonly close: () => void
}

const frameHeaderBytes = 9

/** GOAWAY on stream 0, with the last stream 2^31 - 1 and INTERNAL_ERROR (2). Source: RFC 9113, section 6.8. */
const goAwayWithError = Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 2])

/** Finds the ends of HTTP/2 frames in a server's bytes. */
const frameEnds = () => {
  let header = Buffer.alloc(0)
  let bodyLeft = 0
  /** Takes the next bytes; answers the first frame's end in them at or after a place, or null. */
  return (chunk: Buffer, from: number): number | null => {
    let [at, found]: [number, number | null] = [0, null]
    while (at < chunk.length) {
      if (bodyLeft === 0) {
        const part = chunk.subarray(at, at + frameHeaderBytes - header.length)
        header = Buffer.concat([header, part])
        at += part.length
        if (header.length < frameHeaderBytes) break
        bodyLeft = header.readUIntBE(0, 3)
        header = Buffer.alloc(0)
      } else {
        const part = Math.min(bodyLeft, chunk.length - at)
        bodyLeft -= part
        at += part
      }
      if (bodyLeft === 0 && header.length === 0 && at >= from) found ??= at
    }
    return found
  }
}

/** A proxy between client and server on 127.0.0.1 that cuts the server's data in the middle. For tests. */
export const startTearingProxy = async (port: number): Promise<TearingProxy> => {
  const sockets = new Set<Socket>()
  let [bytesLeft, tears, isAtFrame] = [Number.POSITIVE_INFINITY, 0, false]
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
    const endIn = frameEnds()
    server.on('data', (chunk: Buffer) => {
      const frameEnd = endIn(chunk, Math.min(bytesLeft, chunk.length))
      const end = isAtFrame ? frameEnd : bytesLeft
      if (chunk.length < bytesLeft || end === null) {
        bytesLeft = Math.max(0, bytesLeft - chunk.length)
        client.write(chunk)
        return
      }
      client.write(chunk.subarray(0, end))
      if (isAtFrame) client.write(goAwayWithError)
      client.end()
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
      isAtFrame = false
    },
    closeAfter: (bytes) => {
      bytesLeft = bytes
      isAtFrame = true
    },
    tears: () => tears,
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
