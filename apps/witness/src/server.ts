import { createHash } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import {
  printSize,
  printVerifierKey,
  requestLimit,
  sizeType,
  statusOf,
  type VerifierKey,
  type WitnessRefusal,
} from '@quittance/transparency'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { addCheckpoint, type Clock } from './add-checkpoint.ts'
import type { Witness } from './open-witness.ts'

export type ServerOptions = {
  readonly logs: ReadonlyArray<VerifierKey>
  /** Requests a minute that one address may send. */
  readonly rateLimit: number
  readonly clock: Clock
  /** Told of what went wrong within, such as a full disk. Callers are told nothing of it. */
  readonly report: (cause: unknown) => void
}

const plain = 'text/plain; charset=utf-8'
const requestMs = 10_000

const textOf = (refusal: Exclude<WitnessRefusal, { readonly _tag: 'OldSizeDiffers' }>): string => {
  switch (refusal._tag) {
    case 'MalformedRequest':
      return 'The body is not an old size, a proof and a signed checkpoint without extension lines.\n'
    case 'OldSizeTooLarge':
      return 'The old size is larger than the checkpoint.\n'
    case 'NotSigned':
      return 'No key that is known for this origin has signed the checkpoint, or a signature of such a key is wrong.\n'
    case 'UnknownOrigin':
      return 'This origin is not witnessed here.\n'
    case 'Inconsistent':
      return 'The proof does not show that the checkpoint continues the latest one.\n'
  }
}

const refuse = (reply: FastifyReply, refusal: WitnessRefusal) => {
  reply.code(statusOf[refusal._tag])
  return refusal._tag === 'OldSizeDiffers'
    ? reply.type(sizeType).send(printSize(refusal.latest))
    : reply.type(plain).send(textOf(refusal))
}

/** The status that the server itself gives a request, such as 413 or 429; 500 for everything else. */
const statusOfError = (error: unknown): number => {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : null
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}

/** The service of a witness over HTTP. Source: c2sp.org/tlog-witness. */
export const witnessServer = async (witness: Witness, options: ServerOptions): Promise<FastifyInstance> => {
  const server = Fastify({ bodyLimit: requestLimit, requestTimeout: requestMs, connectionTimeout: 2 * requestMs })
  server.setErrorHandler((error, _, reply) => {
    const status = statusOfError(error)
    if (status === 500) options.report(error)
    return reply
      .code(status)
      .type(plain)
      .send(status === 500 ? 'Something went wrong here.\n' : `Refused (${status}).\n`)
  })
  server.setNotFoundHandler((_, reply) => reply.code(404).type(plain).send('There is nothing here.\n'))
  await server.register(rateLimit, { max: options.rateLimit, timeWindow: '1 minute' })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))

  const { logs, clock } = options
  const add = addCheckpoint(witness, logs, clock)
  server.post('/add-checkpoint', async ({ body }, reply) => {
    const answer = await add(Buffer.isBuffer(body) ? body : new Uint8Array())
    return E.isLeft(answer) ? refuse(reply, answer.left) : reply.type(plain).send(answer.right)
  })

  const { key, state } = witness
  server.get('/', () => ({ name: key.name, vkey: printVerifierKey(key) }))

  const origins = new Map(logs.map(({ name }) => [createHash('sha256').update(name).digest('hex'), name]))
  server.get<{ Params: { origin: string } }>('/:origin/checkpoint', ({ params }, reply) => {
    const origin = origins.get(params.origin)
    const latest = origin === undefined ? null : state.latest(origin)
    if (latest === null) return reply.callNotFound()
    return reply.type(plain).send(latest.note)
  })
  return server
}
