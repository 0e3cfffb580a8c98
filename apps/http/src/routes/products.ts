import type { Billing } from '@quittance/billing'
import { id, NewProduct, Product, ProductStatus } from '@quittance/client/wire'
import type * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { list } from '../wire/lists.ts'
import { command, type Route, route } from '../wire/route.ts'

const productIn = (body: t.TypeOf<typeof NewProduct>) => ({
  name: body.name,
  description: body.description,
  images: body.images,
  type: body.type,
  currency: body.currency_code,
  price: { amount: body.price_amount, amountCents: body.price_amount_cents },
  assetId: body.asset_id,
  recurringPeriod: body.recurring_period,
  trialDays: body.trial_days,
  unit: body.unit,
  unitsPerCredit: body.units_per_credit,
  totalCredits: body.total_credits,
  metadata: body.metadata,
})

const fields = { amount: 'price_amount', amountCents: 'price_amount_cents', asset: 'asset_id' }

/** `/product`, also under the plural. */
export const productRoutes = (billing: Billing): ReadonlyArray<Route> =>
  ['/product', '/products'].flatMap((path) => routesAt(path, billing))

const routesAt = (path: string, billing: Billing): ReadonlyArray<Route> => {
  const { products } = billing
  return [
    command(billing, {
      method: 'POST',
      path,
      summary: 'Create a product',
      auth: keyed('products:write'),
      body: NewProduct,
      answer: Product,
      fields,
      handler: (context, body) => products.create(context, productIn(body)),
    }),
    list({
      path,
      summary: 'List products',
      auth: keyed('products:read'),
      of: Product,
      from: products,
      status: ProductStatus,
    }),
    route({
      method: 'GET',
      path: `${path}/:id` as const,
      summary: 'Retrieve a product',
      auth: keyed('products:read'),
      params: { id: id('prod_') },
      answer: Product,
      handler: ({ param, principal }) => answerOf(products.retrieve(principal(), param('id'))),
    }),
  ]
}
