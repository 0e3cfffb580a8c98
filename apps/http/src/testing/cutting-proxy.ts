import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/** A proxy that loses the response to every first attempt: the service has done its work, and the client is cut off. */
export const startCuttingProxy = async (serviceUrl: string) => {
  const seen = new Set<string>()
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const body = await text(request)
    const kept = ['x-api-key', 'content-type', 'idempotency-key'].flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    })
    const answer = await fetch(`${serviceUrl}${url}`, {
      method,
      headers: Object.fromEntries(kept),
      ...(body === '' ? {} : { body }),
    })
    const answered = await answer.text()
    const attempt = `${method} ${url} ${headers['idempotency-key']}`
    const isFirst = !seen.has(attempt)
    seen.add(attempt)
    if (isFirst) response.destroy()
    else response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(answered)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
