import { connect, createServer, type Socket } from 'node:net'

/** Stands between a store and its server, and cuts their connection at a chosen moment. */
export type CuttingProxy = {
  readonly port: number
  /** Cuts the next connection that sends this text: before the server gets it, or right before its answer arrives. */
  readonly cutAt: (text: string, moment: 'before the server' | 'before the answer') => void
  readonly close: () => void
}

export const startCuttingProxy = (serverPort: number): Promise<CuttingProxy> => {
  let cut: { readonly text: string; readonly isDelivered: boolean } | null = null
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    let isDoomed = false
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    client.on('data', (chunk: Buffer) => {
      if (cut !== null && chunk.includes(cut.text)) {
        const { isDelivered } = cut
        cut = null
        if (!isDelivered) return end()
        isDoomed = true
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk: Buffer) => {
      if (isDoomed) end()
      else client.write(chunk)
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        cutAt: (text, moment) => {
          cut = { text, isDelivered: moment === 'before the answer' }
        },
        close: () => {
          server.close()
          for (const socket of sockets) socket.destroy()
        },
      })
    })
  })
}
