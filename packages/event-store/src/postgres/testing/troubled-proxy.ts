import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Stands between a process and its server, and gives their connections trouble. */
export type TroubledProxy = {
  readonly port: number
  /** Cuts all connections. */
  readonly drop: () => void
  /** Cuts each connection of now in the midst of the next piece of bytes that the server sends. */
  readonly halve: () => void
  /** Loses what one side of the connections of now sends, for some time, and then cuts them. */
  readonly silence: (side: Side, forMs: number) => void
  /** Holds each piece of bytes back for `byMs`, for some time. */
  readonly delay: (byMs: number, forMs: number) => void
  readonly close: () => void
}

type Side = 'process' | 'server'

type Pipe = {
  isHalved: boolean
  silent: Side | null
  readonly end: () => void
}

export const startTroubledProxy = (serverPort: number): Promise<TroubledProxy> => {
  const pipes = new Set<Pipe>()
  let late = { byMs: 0, until: 0 }

  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    const end = (): void => {
      pipes.delete(pipe)
      client.destroy()
      upstream.destroy()
    }
    const pipe: Pipe = { isHalved: false, silent: null, end }
    pipes.add(pipe)
    for (const socket of [client, upstream]) socket.setNoDelay().on('error', end).on('close', end)
    const lead = (side: Side, from: Socket, to: Socket): void => {
      let before = Promise.resolve()
      const pass = (chunk: Buffer): void => {
        if (pipe.silent === side) return
        if (side === 'process' || !pipe.isHalved) return void to.write(chunk)
        to.write(chunk.subarray(0, Math.floor(chunk.length / 2)), end)
      }
      from.on('data', (chunk: Buffer) => {
        const waitMs = Date.now() < late.until ? late.byMs : 0
        before = before.then(async () => {
          if (waitMs > 0) await pause(waitMs)
          pass(chunk)
        })
      })
    }
    lead('process', client, upstream)
    lead('server', upstream, client)
  })

  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        drop: () => {
          for (const { end } of [...pipes]) end()
        },
        halve: () => {
          for (const pipe of pipes) pipe.isHalved = true
        },
        silence: (side, forMs) => {
          const of = [...pipes]
          for (const pipe of of) pipe.silent = side
          setTimeout(() => {
            for (const { end } of of) end()
          }, forMs).unref()
        },
        delay: (byMs, forMs) => {
          late = { byMs, until: Date.now() + forMs }
        },
        close: () => {
          server.close()
          for (const { end } of [...pipes]) end()
        },
      })
    })
  })
}
