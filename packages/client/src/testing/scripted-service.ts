import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'

/** Answers one request. */
export type Step = (response: ServerResponse, request: IncomingMessage) => unknown

export const says =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Step =>
  (response) => {
    const isText = typeof body === 'string'
    response
      .writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json; charset=utf-8', ...headers })
      .end(isText ? body : JSON.stringify(body))
  }

/** Closes the connection without a response. */
export const cuts: Step = (response) => response.destroy()

/** Never responds. */
export const keepsSilent: Step = () => {}

/** A received request. */
export type ReceivedRequest = {
  readonly request: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Local services, closed together. */
export const scriptedServices = () => {
  const opened: Array<() => Promise<unknown>> = []
  return {
    /** Starts a service that answers requests by the script; the last step repeats. */
    start: async (...script: readonly [Step, ...Step[]]) => {
      const received: Array<ReceivedRequest> = []
      const server = createServer(async (request, response) => {
        const body = await text(request)
        const step = script[Math.min(received.length, script.length - 1)]
        received.push({ request: `${request.method} ${request.url}`, headers: request.headers, body })
        step?.(response, request)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      opened.push(() => {
        server.closeAllConnections()
        return once(server.close(), 'close')
      })
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('the service has no port')
      return {
        url: `http://127.0.0.1:${address.port}`,
        received,
        /** Resolves once this many requests have arrived. */
        receives: async (count: number): Promise<void> => {
          while (received.length < count) await turn()
        },
      }
    },
    closeAll: async (): Promise<void> => {
      for (const close of opened.splice(0)) await close()
    },
  }
}
