import { createServer } from 'node:http'

/** What a node does with a call: answer, give a JSON-RPC error, reply with some other text, or stay silent. */
export type NodeBehaviour =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: number; readonly text: string }
  | 'silence'

export type Call = { readonly method: string; readonly params: unknown }

/** A node on a free local port that behaves as told and remembers what it was asked. */
export const startNode = async (behave: (call: Call) => NodeBehaviour) => {
  const calls: Array<Call> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      calls.push({ method, params })
      const behaviour = behave({ method, params })
      if (behaviour === 'silence') return
      const { status, text } =
        'text' in behaviour ? behaviour : { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id, ...behaviour }) }
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((closed) => server.close(() => closed()))
  }
  return { url: `http://127.0.0.1:${address.port}`, calls, stop }
}
