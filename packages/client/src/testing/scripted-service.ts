import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'

/** How one request is answered. */
export type Step = (response: ServerResponse, request: IncomingMessage) => unknown

export const says =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Step =>
  (response) => {
    const isText = typeof body === 'string'
    response
      .writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json; charset=utf-8', ...headers })
      .end(isText ? body : JSON.stringify(body))
  }

/** Breaks the connection off without an answer. */
export const cuts: Step = (response) => response.destroy()

/** Takes the request, and never answers. */
export const keepsSilent: Step = () => {}

/** A request as it arrived. */
export type Heard = {
  readonly request: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Services on this machine, to be closed together. */
export const scriptedServices = () => {
  const opened: Array<() => Promise<unknown>> = []
  return {
    /** One that answers request after request as the script says, the last step for all that follow. */
    start: async (...script: readonly [Step, ...Step[]]) => {
      const heard: Array<Heard> = []
      const server = createServer(async (request, response) => {
        const body = await text(request)
        const step = script[Math.min(heard.length, script.length - 1)]
        heard.push({ request: `${request.method} ${request.url}`, headers: request.headers, body })
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
        heard,
        /** Resolves once so many requests have arrived. */
        hears: async (count: number): Promise<void> => {
          while (heard.length < count) await turn()
        },
      }
    },
    closeAll: async (): Promise<void> => {
      for (const close of opened.splice(0)) await close()
    },
  }
}
