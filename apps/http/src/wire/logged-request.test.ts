import Fastify from 'fastify'
import { loggedRequest, OneLinePerRequest } from './logged-request.ts'

describe('the log of a server', () => {
  const lines: Array<Record<string, unknown>> = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const server = Fastify({
    logger: { serializers: { req: loggedRequest }, stream },
    logController: new OneLinePerRequest(),
    genReqId: () => 'req_1',
  })
  server.get('/product/:id', async () => ({}))
  server.get('/refused', async (_request, reply) => reply.code(409).send({}))
  beforeEach(() => void lines.splice(0))
  afterAll(() => server.close())

  it.each([
    ['/product/prod_7nQe4Cw0XbDq1yLZs5Tt0u?secret=1', '/product/prod_7nQe4Cw0XbDq1yLZs5Tt0u', 200],
    ['/product/ada@shop.example', '/product/:id', 200],
    ['/refused', '/refused', 409],
  ])('holds one line for %s, with its route, its status and how long it took', async (url, path, statusCode) => {
    await server.inject(url)
    expect(lines).toEqual([
      expect.objectContaining({
        level: 30,
        reqId: 'req_1',
        req: { method: 'GET', path },
        res: { statusCode },
        responseTime: expect.any(Number),
        msg: 'request completed',
      }),
    ])
  })
})
