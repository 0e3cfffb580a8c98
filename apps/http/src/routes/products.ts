import type { Billing } from '@quittance/billing'
import {
  ChangedProduct,
  DeletedProduct,
  id,
  NewProduct,
  Product,
  ProductReceipt,
  ProductStatus,
} from '@quittance/client/wire'
import type * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { removed } from '../wire/call.ts'
import { ofPrices } from '../wire/declared-codes.ts'
import { list, record } from '../wire/lists.ts'
import { atMoment } from '../wire/moment.ts'
import { command, type Route } from '../wire/route.ts'

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
  allowsMultipleSubscriptions: body.allow_multiple_subscriptions,
  unit: body.unit,
  unitsPerCredit: body.units_per_credit,
  totalCredits: body.total_credits,
  metadata: body.metadata,
})

const changeIn = (body: t.TypeOf<typeof ChangedProduct>) => ({
  name: body.name,
  description: body.description,
  images: body.images,
  status: body.status,
  allowsMultipleSubscriptions: body.allow_multiple_subscriptions,
  assetId: body.asset_id,
  currency: body.currency_code,
  recurringPeriod: body.recurring_period ?? undefined,
  price:
    body.price_amount === null && body.price_amount_cents === null
      ? undefined
      : { amount: body.price_amount, amountCents: body.price_amount_cents },
  metadata: body.metadata ?? undefined,
})

const params = { id: id('prod_') }
const fields = { amount: 'price_amount', amountCents: 'price_amount_cents', asset: 'asset_id', trial: 'trial_days' }

/** Served as `/product` and `/products`. */
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
      receipt: ProductReceipt,
      problems: [
        'amount_missing',
        ...ofPrices,
        'unsupported_asset',
        'recurring_period_missing',
        'recurring_period_not_allowed',
        'trial_not_allowed',
        'trial_too_long',
        'merchant_not_ready',
      ],
      fields,
      handler: (context, body) => products.create(context, productIn(body)),
    }),
    list({
      path,
      summary: 'List products',
      auth: keyed('products:read'),
      of: Product,
      from: atMoment(billing, (then) => then.products),
      status: ProductStatus,
    }),
    record({
      path: `${path}/:id` as const,
      summary: 'Retrieve a product',
      auth: keyed('products:read'),
      id: params.id,
      of: Product,
      from: atMoment(billing, (then) => then.products),
    }),
    command(billing, {
      method: 'PUT',
      path: `${path}/:id` as const,
      summary: 'Change a product: a new price or period is for what is sold from now on',
      auth: keyed('products:write'),
      params,
      body: ChangedProduct,
      answer: Product,
      receipt: ProductReceipt,
      problems: [...ofPrices, 'unsupported_asset', 'recurring_period_not_allowed', 'merchant_not_ready'],
      fields,
      handler: (context, body, { param }) => products.update(context, param('id'), changeIn(body)),
    }),
    command(billing, {
      method: 'DELETE',
      path: `${path}/:id` as const,
      summary: 'Archive a product: it is no longer sold, and open checkouts go on',
      auth: keyed('products:write'),
      params,
      answer: DeletedProduct,
      receipt: 'all',
      handler: (context, _, { param }) =>
        removed(products.archive(context, param('id')), { id: param('id'), object: 'product' }),
    }),
  ]
}
