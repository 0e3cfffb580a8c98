import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { problem } from '../testing/client.ts'
import { closeGracefully } from './graceful-close.ts'
import { createServer } from './server.ts'

const head = 'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 8\r\n\r\n'

/** A server that answers with what it was sent, and tells when it has begun with a request. */
const startEcho = async (patience = { headMs: 150, requestMs: 300, lookEveryMs: 20 }) => {
  const server = createServer('silent', patience)
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  server.addHook('onRequest', async () => begin())
  server.post('/echo', async ({ body }) => ({ body }))
  await server.listen({ port: 0, host: '127.0.0.1' })
  return { server, begun }
}

/** A connection, and all that is heard on it until the server ends it. */
const open = async (server: FastifyInstance, text: string): Promise<{ socket: Socket; heard: Promise<string> }> => {
  const address = server.server.address()
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  const heard = new Promise<string>((resolve) => {
    let all = ''
    socket.on('data', (chunk) => {
      all += chunk.toString()
    })
    socket.on('error', () => resolve(all))
    socket.on('close', () => resolve(all))
  })
  if (text !== '') socket.write(text)
  return { socket, heard }
}

const refusal = async (heard: Promise<string>) => {
  const [line = '', body = ''] = (await heard).split('\r\n\r\n')
  return { line: line.split('\r\n')[0], body: JSON.parse(body) }
}

describe('slow clients', () => {
  let server: FastifyInstance
  beforeAll(async () => {
    server = (await startEcho()).server
  })
  afterAll(() => server.close())

  it.each([
    ['it sends nothing at all', ''],
    ['the head of its request does not end', 'POST /echo HTTP/1.1\r\nhost: a\r\nx-a: b\r\n'],
    ['the body of its request does not end', `${head}{"a"`],
  ])('answers 408 and ends the connection when %s', async (_, text) => {
    const { heard } = await open(server, text)
    expect(await refusal(heard)).toEqual({ line: 'HTTP/1.1 408 Request Timeout', body: problem('malformed_request') })
  })

  it('answers 408 to a client that sends a little now and then', async () => {
    const { socket, heard } = await open(server, 'POST /echo HTTP/1.1\r\nhost: a\r\n')
    const drip = setInterval(() => socket.write('x-a: b\r\n'), 20)
    expect((await refusal(heard)).line).toBe('HTTP/1.1 408 Request Timeout')
    clearInterval(drip)
  })
})

describe('a server that is closed', () => {
  it('answers current requests of a closing server, and then ends kept-alive connections', async () => {
    const { server, begun } = await startEcho({ headMs: 10_000, requestMs: 20_000, lookEveryMs: 1_000 })
    const { socket, heard } = await open(server, `${head}{"a"`)
    await begun
    const closed = closeGracefully(server)
    socket.write(': 1}')
    await closed
    expect(await heard).toMatch(/^HTTP\/1.1 200 OK.*"a":1/s)
  })

  it('waits for an endless request only for a limited time when it closes', async () => {
    const { server, begun } = await startEcho({ headMs: 10_000, requestMs: 20_000, lookEveryMs: 1_000 })
    const { heard } = await open(server, `${head}{"a"`)
    await begun
    await closeGracefully(server, null, 100)
    expect(await heard).toBe('')
  })
})
