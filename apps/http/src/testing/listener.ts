import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/** A program of a merchant on this machine, which keeps the types of the events that it is told of. */
export const listener = async () => {
  const heard: Array<string> = []
  const server = createServer(async (request, response) => {
    heard.push(JSON.parse(await text(request)).type)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    types: (): ReadonlyArray<string> => heard,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
