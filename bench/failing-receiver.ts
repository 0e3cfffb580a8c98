import { createServer } from 'node:http'
import { Webhook } from 'svix'

/** A merchant's server that fails a share of all requests and records violations. */
export const startFailingReceiver = async (random: () => number, failing: number) => {
  const [arrived, wrong] = [new Map<string, number>(), [] as string[]]
  const reached = new Map<string, number>()
  const counts = { attempts: 0, again: 0 }
  let verifier: Webhook | null = null
  let share = failing
  const judge = (text: string, headers: Record<string, string>): { id: string; resource: string; sequence: number } => {
    const { id, resource_id: resource, sequence } = JSON.parse(text)
    try {
      verifier?.verify(text, headers)
    } catch (cause) {
      wrong.push(`${id}: ${cause}`)
    }
    if (id !== headers['webhook-id']) wrong.push(`${id} arrived as ${headers['webhook-id']}`)
    if (sequence > (reached.get(resource) ?? 0) + 1)
      wrong.push(`${resource}: ${sequence} arrived before its predecessor`)
    return { id, resource, sequence }
  }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', () => {
        const names = ['id', 'timestamp', 'signature'].map((name) => `webhook-${name}`)
        const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]))
        const { id, resource, sequence } = judge(Buffer.concat(chunks).toString(), headers)
        counts.attempts += 1
        if (arrived.has(id)) counts.again += 1
        const drawn = random()
        if (drawn < share / 2) response.destroy()
        else if (drawn < share) response.writeHead(500).end()
        else {
          arrived.set(id, (arrived.get(id) ?? 0) + 1)
          reached.set(resource, Math.max(reached.get(resource) ?? 0, sequence))
          response.end()
        }
      })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : ''}/`,
    arrived,
    wrong,
    counts,
    failNoMore: (): void => {
      share = 0
    },
    verifyWith: (secret: string): void => {
      verifier = new Webhook(secret)
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
