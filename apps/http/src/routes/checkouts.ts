import type { CommandContext } from '@quittance/billing'
import * as t from 'io-ts'
import { principalOf } from '../wire/auth.ts'
import { answerOf, runCommand } from '../wire/call.ts'
import { decodeBody, email, httpUrl, optional, phone, priceInput, text } from '../wire/decode.ts'
import { invalid } from '../wire/errors.ts'
import { exactMetadata } from '../wire/exact-metadata.ts'
import { answerList, single } from '../wire/lists.ts'
import { keyed, keyedList, pathParameter, type RouteContext } from './route.ts'

const options = {
  customer_id: optional(text(100)),
  customer_email: optional(email),
  customer_phone: optional(phone),
  redirect_url: optional(httpUrl),
  description: optional(text(5_000)),
  metadata: t.unknown,
}
const ProductCheckoutBody = t.type({ product_id: text(100), ...options })
const DirectCheckoutBody = t.type({ currency_code: text(70), ...options })

type Options = t.TypeOf<t.TypeC<typeof options>>

const optionsIn = ({ customer_id, customer_email, customer_phone, redirect_url, description, metadata }: Options) => ({
  customer: { id: customer_id, email: customer_email, phone: customer_phone },
  redirectUrl: redirect_url,
  description,
  metadata: exactMetadata(metadata),
})

const statuses = ['open', 'completed', 'expired', 'failed']
const inCustomer = { customer: 'customer_id' }
const ofProduct = { ...inCustomer, product: 'product_id' }
const ofAmount = { ...inCustomer, amount: 'amount', amountCents: 'amount_cents', asset: 'currency_code' }

export const checkoutRoutes = ({ server, billing }: RouteContext): void => {
  const { checkouts } = billing
  server.post('/checkout', keyed, async (request) => {
    const { type } = single(request.query)
    if (type === 'product') {
      const create = (context: CommandContext) => {
        const body = decodeBody(ProductCheckoutBody, request.body)
        return checkouts.createForProduct(context, body.product_id, optionsIn(body))
      }
      return { data: await runCommand(billing, request, create, ofProduct) }
    }
    if (type !== 'direct') throw invalid('type', '"type" must be product or direct')
    const create = (context: CommandContext) => {
      const body = decodeBody(DirectCheckoutBody, request.body)
      const price = priceInput(request.body, 'amount', 'amount_cents')
      return checkouts.createDirect(context, price, body.currency_code, optionsIn(body))
    }
    return { data: await runCommand(billing, request, create, ofAmount) }
  })
  server.get('/checkout', keyedList(), (request) =>
    answerList(request, '/checkout', checkouts, { customer: true, statuses }),
  )
  server.get('/checkout/:id', keyed, async (request) => ({
    data: await answerOf(checkouts.retrieve(principalOf(request), pathParameter(request, 'id'))),
  }))
  server.post('/checkout/:id/expire', keyed, async (request) => {
    const id = pathParameter(request, 'id')
    return { data: await runCommand(billing, request, (context) => checkouts.expire(context, id)) }
  })
}
