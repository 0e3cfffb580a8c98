import type { Billing, TransparencyLog } from '@quittance/billing'
import { type Tile, tilePath } from '@quittance/transparency'
import type { FastifyInstance, FastifyReply, onRequestAsyncHookHandler } from 'fastify'
import { open } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { HttpError } from '../wire/errors.ts'
import { page, type Route } from '../wire/route.ts'

const plain = 'text/plain; charset=utf-8'

/** Any page may read it. What grows is asked again after a while, and a full tile never changes. */
const publicly = (reply: FastifyReply, cacheControl: string): FastifyReply =>
  reply
    .header('access-control-allow-origin', '*')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', cacheControl)

const noCheckpoint = (): HttpError => new HttpError(404, 'not_found', 'No checkpoint of the log was signed yet')

/** What everybody may see of the log: its latest checkpoint, and the keys that verify it (C2SP tlog-tiles). */
export const transparencyRoutes = ({ transparency }: Pick<Billing, 'transparency'>): ReadonlyArray<Route> => [
  page({
    path: '/transparency/checkpoint',
    summary: 'Show the latest signed checkpoint of the event log',
    auth: open,
    isBounded: true,
    answers: { 200: { _tag: 'media', type: 'text/plain' } },
    problems: ['not_found'],
    handler: async (_, reply) => {
      const note = await transparency.checkpoint()
      if (note === null) throw noCheckpoint()
      return publicly(reply, 'no-cache').type(plain).send(note)
    },
  }),
  page({
    path: '/.well-known/transparency-keys',
    summary: 'List the keys that verify checkpoints of the event log',
    auth: open,
    isBounded: true,
    answers: { 200: { _tag: 'media', type: 'text/plain' } },
    problems: ['not_found'],
    handler: async (_, reply) => {
      const logs = await answerOf(transparency.logs)
      if (logs.length === 0) throw noCheckpoint()
      return publicly(reply, 'no-cache')
        .type(plain)
        .send(logs.flatMap(({ vkeys }) => vkeys.map((vkey) => `${vkey}\n`)).join(''))
    },
  }),
]

const format = /^(0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** The tile that a path below `tile/` names; null for any path that C2SP tlog-tiles does not write. */
export const tileAt = (path: string): Tile | null => {
  const [, level = '', places = '', width = '256'] = format.exec(path) ?? []
  if (level === '' || places.length > 40) return null
  const tile = { level: Number(level), index: BigInt(places.replaceAll(/[x/]/g, '')), width: Number(width) }
  return tilePath(tile) === `tile/${path}` ? tile : null
}

const hashBytes = 32

/** Serves the tiles of the tree. They are files as those of pages are, so the reference does not list them. */
export const tileFiles = (
  server: FastifyInstance,
  { tile }: Pick<TransparencyLog, 'tile'>,
  ofAddresses: onRequestAsyncHookHandler,
): void => {
  server.get<{ readonly Params: { readonly '*': string } }>(
    '/transparency/tile/*',
    { config: { auth: open }, onRequest: ofAddresses },
    async ({ params }, reply) => {
      const wanted = tileAt(params['*'])
      const hashes = wanted === null ? null : await tile(wanted)()
      const bytes = (wanted?.width ?? 0) * hashBytes
      if (hashes === null || hashes.length < bytes) throw new HttpError(404, 'not_found', 'The tree has no such tile')
      return publicly(reply, 'public, max-age=31536000, immutable')
        .type('application/octet-stream')
        .send(Buffer.from(hashes.subarray(0, bytes)))
    },
  )
}
