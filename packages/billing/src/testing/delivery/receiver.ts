import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

/** A received request, verified as receivers do. */
export type Received = {
  readonly id: string
  readonly type: string
  readonly resourceId: string
  readonly sequence: number
  readonly body: unknown
  /** By the clock of the test. */
  readonly at: number
}

type Respond = (received: Received, nth: number) => number | 'silence'

/**
 * A merchant's server on this machine. `secret` verifies what comes once it is known; `respond` says how the n-th
 * request (from 1) is answered.
 */
export const startReceiver = async (now: () => number, respond: Respond = () => 200) => {
  const received: Array<Received> = []
  const known = { secrets: [] as ReadonlyArray<string>, respond }
  const problems: Array<string> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const header = (name: string): string => String(request.headers[`webhook-${name}`])
        const headers = {
          'webhook-id': header('id'),
          'webhook-timestamp': header('timestamp'),
          'webhook-signature': header('signature'),
        }
        for (const secret of known.secrets) {
          try {
            new Webhook(secret).verify(text, headers)
          } catch (cause) {
            problems.push(String(cause))
          }
        }
        const body = JSON.parse(text)
        if (body.id !== headers['webhook-id']) problems.push(`${body.id} came as ${headers['webhook-id']}`)
        const one = {
          id: body.id,
          type: body.type,
          resourceId: body.resource_id,
          sequence: body.sequence,
          body,
          at: now(),
        }
        received.push(one)
        const answer = known.respond(one, received.length)
        if (answer !== 'silence') response.writeHead(answer).end(`answered ${answer}`)
      })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    received,
    /** The wrong signatures and ids that were received. */
    problems,
    known,
    stop: async () => {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>
