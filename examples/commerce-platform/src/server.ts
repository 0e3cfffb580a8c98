import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { AccountId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { isSku } from './orders.ts'
import { Refused } from './results.ts'
import type { Shop } from './shop.ts'

type Answer = { readonly status: number; readonly body: object }
type Body = Readonly<Record<string, unknown>>

const ok = (body: object): Answer => ({ status: 200, body })
const wrong = (error: string): Answer => ({ status: 400, body: { error } })
const absent: Answer = { status: 404, body: { error: 'nothing is here' } }

/** The shop's own HTTP. What Quittance calls `payment_url` leads to `/pay/{checkout}` here. */
const answerOf = async (shop: Shop, method: string, path: string, body: Body): Promise<Answer> => {
  const [, first = '', id = '', last = ''] = path.split('/')
  switch ([method, first, id === '' ? '' : ':id', last].filter((each) => each !== '').join(' ')) {
    case 'POST orders':
      return isSku(body.sku) && typeof body.email === 'string'
        ? { status: 201, body: await shop.order(randomUUID(), body.sku, body.email) }
        : wrong('send { "sku": "book" or "club", "email": … }')
    case 'GET orders :id': {
      const order = shop.find(id)
      return order === null ? absent : ok({ ...order, hasAccess: await shop.hasAccess(id) })
    }
    case 'POST orders :id cancel':
      return shop.find(id) === null ? absent : ok(await shop.cancel(id))
    case 'GET pay :id':
      return ok(await shop.quote(id))
    case 'POST pay :id transaction': {
      const account = AccountId.decode(body.account)
      return E.isLeft(account) ? wrong('send { "account": "G…" }') : ok(await shop.unsigned(id, account.right))
    }
    case 'POST pay :id submit':
      return typeof body.transaction === 'string'
        ? ok(await shop.submit(id, body.transaction))
        : wrong('send { "transaction": the signed XDR }')
    case 'POST pay :id lent_wallet':
      return ok(await shop.payFromLentWallet(id))
    case 'POST clock':
      return typeof body.seconds === 'number' && body.seconds >= 0
        ? ok(await shop.advance(body.seconds))
        : wrong('send { "seconds": … }')
    default:
      return absent
  }
}

const bodyIn = async (request: IncomingMessage): Promise<Body | null> => {
  try {
    const body: unknown = JSON.parse((await text(request)) || '{}')
    return typeof body === 'object' && body !== null ? { ...body } : null
  } catch {
    return null
  }
}

const failed = (cause: unknown): Answer => {
  if (cause instanceof Refused)
    return { status: cause.tag.endsWith('NotFound') ? 404 : 409, body: { error: cause.tag } }
  console.error(cause)
  return { status: 500, body: { error: 'something went wrong on our side' } }
}

/** Serves a shop on this machine, on a free port where it is 0. */
export const serve = async (shop: Shop, port: number) => {
  const server = createServer(async (request, response) => {
    const body = await bodyIn(request)
    const answer =
      body === null
        ? wrong('the body is no JSON object')
        : await answerOf(shop, request.method ?? '', request.url ?? '', body).catch(failed)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(`${JSON.stringify(answer.body)}\n`)
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    /** Resolves when open requests are answered. */
    close: async (): Promise<void> => {
      server.close()
      server.closeIdleConnections()
      await once(server, 'close')
    },
  }
}
