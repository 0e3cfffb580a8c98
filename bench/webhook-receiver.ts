import { createServer } from 'node:http'

/**
 * A merchant's server in its own process. `/ok` accepts, `/hang` never answers, `/seen` answers the number and last
 * time (Unix milliseconds) of requests to each path.
 */
const seen = new Map<string, { count: number; lastAt: number }>()
const server = createServer((request, response) => {
  const path = request.url ?? ''
  if (path === '/seen') {
    response.end(JSON.stringify(Object.fromEntries(seen)))
    return
  }
  request.resume().on('end', () => {
    const known = seen.get(path) ?? { count: 0, lastAt: 0 }
    seen.set(path, { count: known.count + 1, lastAt: Date.now() })
    if (!path.startsWith('/hang')) response.end()
  })
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address()
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : ''}\n`)
})
