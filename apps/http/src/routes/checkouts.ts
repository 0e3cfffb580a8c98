import * as t from 'io-ts'
import { answerOf, authenticate, runCommand } from '../wire/call.ts'
import { decodeBody, email, httpUrl, optional, priceInput, text } from '../wire/decode.ts'
import { invalid } from '../wire/errors.ts'
import { listOf, pageRequest, single } from '../wire/lists.ts'
import { pathParameter, type RouteContext } from './route.ts'

const options = {
  customer_id: optional(text(100)),
  customer_email: optional(email),
  customer_phone: optional(text(50)),
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
  metadata,
})

export const checkoutRoutes = ({ server, billing }: RouteContext): void => {
  server.post('/checkout', async (request) => {
    const principal = authenticate(billing, request)
    const { type } = single(request.query)
    if (type === 'product') {
      const body = decodeBody(ProductCheckoutBody, request.body)
      return {
        data: await runCommand(billing, request, principal, (context) =>
          billing.checkouts.createForProduct(context, body.product_id, optionsIn(body)),
        ),
      }
    }
    if (type !== 'direct') throw invalid('type', '"type" must be product or direct')
    const body = decodeBody(DirectCheckoutBody, request.body)
    const price = priceInput(request.body, 'amount', 'amount_cents')
    return {
      data: await runCommand(billing, request, principal, (context) =>
        billing.checkouts.createDirect(context, price, body.currency_code, optionsIn(body)),
      ),
    }
  })
  server.get('/checkout', async (request) => {
    const principal = authenticate(billing, request)
    return listOf('/checkout', billing.checkouts.list(pageRequest(principal, request.query)))
  })
  server.get('/checkout/:id', async (request) => {
    const principal = authenticate(billing, request)
    return { data: await answerOf(billing.checkouts.retrieve(principal, pathParameter(request.params, 'id'))) }
  })
  server.post('/checkout/:id/expire', async (request) => {
    const principal = authenticate(billing, request)
    const id = pathParameter(request.params, 'id')
    return { data: await runCommand(billing, request, principal, (context) => billing.checkouts.expire(context, id)) }
  })
}
