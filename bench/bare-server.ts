import Fastify from 'fastify'

/** A bare Fastify with one route to read and one to write, for comparison. */
const server = Fastify()
server.get('/', async () => ({ data: { has_access: true } }))
server.post('/', async ({ body }) => ({ data: body }))
process.stdout.write(`${await server.listen({ port: 0, host: '127.0.0.1' })}\n`)
