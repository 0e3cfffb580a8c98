import { createServer, type ServerResponse } from 'node:http'

/** What a market does when it is asked: answers with this, or does as it likes with the response. */
export type Manner = string | ((response: ServerResponse) => void)

/** A market on this machine that behaves as it is told. `asked` counts requests by path. */
export const startMarket = async (first: Manner = '{}') => {
  let manner = first
  const byPath = new Map<string, Manner>()
  const asked = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    asked.set(path, (asked.get(path) ?? 0) + 1)
    const behaviour = byPath.get(path) ?? manner
    if (typeof behaviour === 'function') return behaviour(response)
    response.setHeader('content-type', 'application/json').end(behaviour)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    behaves: (next: Manner, path?: string): void => {
      if (path === undefined) manner = next
      else byPath.set(path, next)
    },
    asked: (): number => [...asked.values()].reduce((sum, count) => sum + count, 0),
    paths: (): ReadonlyArray<string> => [...asked.keys()],
    close: (): Promise<void> => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
export type Market = Awaited<ReturnType<typeof startMarket>>
