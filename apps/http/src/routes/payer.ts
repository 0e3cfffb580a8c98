import { AccountId, AssetId, Stroops, stroopsFromDecimal } from '@quittance/domain'
import type { FastifyRequest, RouteShorthandOptions } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { answerOf } from '../wire/call.ts'
import { decodeBody, described, email, optional, phone, text } from '../wire/decode.ts'
import { streamStates } from '../wire/event-stream.ts'
import { pathParameter, type RouteContext } from './route.ts'

const CustomerBody = t.type({ email, name: optional(text(250)), phone: optional(phone) })
const account = described(AccountId, 'a Stellar account (G…)')
const assetId = described(AssetId, 'native, or CODE:ISSUER')
const amount = new t.Type<Stroops, string, unknown>(
  'an amount above 0 as text, with at most 7 decimals',
  Stroops.is,
  (input, context) => {
    const read = typeof input === 'string' ? stroopsFromDecimal(input) : null
    return read !== null && E.isRight(read) && read.right > 0n ? t.success(read.right) : t.failure(input, context)
  },
  String,
)
const mostAssetIds = 10
const assetIds = new t.Type<ReadonlyArray<AssetId>, string, unknown>(
  `at most ${mostAssetIds} assets (CODE:ISSUER), separated by commas`,
  t.array(AssetId).is,
  (input, context) => {
    const names = typeof input === 'string' ? input.split(',') : []
    return names.length > 0 && names.length <= mostAssetIds
      ? t.array(AssetId).validate(names, context)
      : t.failure(input, context)
  },
  String,
)
const TransactionBody = t.type({ source_account: account, send_asset: optional(assetId), send_max: optional(amount) })
const AssetsQuery = t.type({ account, asset_ids: optional(assetIds) })
const SubmitBody = t.type({ transaction_xdr: text(100_000) })

/** What anyone may do who has a checkout's address. `bounded` limits the requests of one address. */
export const payerRoutes = ({ server, billing }: RouteContext, bounded: RouteShorthandOptions): void => {
  const { payer } = billing
  const idOf = (request: FastifyRequest) => pathParameter(request, 'id')

  server.get('/pay/:id/quote', bounded, async (request) => ({ data: await answerOf(payer.quote(idOf(request))) }))
  server.get('/pay/:id/status', bounded, async (request) => ({ data: await answerOf(payer.status(idOf(request))) }))
  server.get('/pay/:id/assets', bounded, async (request) => {
    const { account, asset_ids } = decodeBody(AssetsQuery, request.query)
    return { data: await answerOf(payer.assets(idOf(request), account, asset_ids ?? [])) }
  })
  server.post('/pay/:id/customer', bounded, async (request) => {
    const details = decodeBody(CustomerBody, request.body)
    return { data: await answerOf(payer.attachCustomer(idOf(request), details)) }
  })
  server.post('/pay/:id/transaction', bounded, async (request) => {
    const { source_account, send_asset, send_max } = decodeBody(TransactionBody, request.body)
    const sending = send_asset === null ? null : { assetId: send_asset, most: send_max }
    return { data: await answerOf(payer.transaction(idOf(request), source_account, sending)) }
  })
  server.post('/pay/:id/submit', bounded, async (request) => {
    const { transaction_xdr } = decodeBody(SubmitBody, request.body)
    return { data: await answerOf(payer.submit(idOf(request), transaction_xdr)) }
  })

  const closing = new AbortController()
  server.addHook('preClose', async () => closing.abort())
  // A stream that never ends by itself cannot be looked at without its body.
  server.get('/pay/:id/events', { ...bounded, exposeHeadRoute: false }, (request, reply) =>
    streamStates(
      reply,
      () => answerOf(payer.status(idOf(request))),
      ({ status }) => status === 'completed' || status === 'failed',
      closing.signal,
    ),
  )
}
