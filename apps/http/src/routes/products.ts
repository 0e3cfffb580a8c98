import { count as countOf, ProductType, positiveCount as positive, RecurringPeriod } from '@quittance/domain'
import * as t from 'io-ts'
import { principalOf } from '../wire/auth.ts'
import { answerOf, runCommand } from '../wire/call.ts'
import {
  count,
  currencyCode,
  decodeBody,
  described,
  httpUrl,
  optional,
  positiveCount,
  priceInput,
  text,
  withDefault,
} from '../wire/decode.ts'
import { exactMetadata } from '../wire/exact-metadata.ts'
import { answerList } from '../wire/lists.ts'
import { keyed, keyedList, pathParameter, type RouteContext } from './route.ts'

const mostImages = 20
const urls = t.readonlyArray(httpUrl)
const images = described(
  t.refinement(urls, ({ length }) => length <= mostImages),
  `a list of at most ${mostImages} http or https addresses`,
)

const NewProductBody = t.type({
  name: text(250),
  description: optional(text(5_000)),
  images: withDefault<t.TypeOf<typeof images>>(images, []),
  type: described(ProductType, 'one_time, subscription or metered'),
  currency_code: currencyCode,
  asset_id: optional(text(70)),
  recurring_period: optional(described(RecurringPeriod, 'day, week, month or year')),
  trial_days: optional(count),
  unit: optional(text(100)),
  units_per_credit: withDefault(positiveCount, positive(1)),
  total_credits: withDefault(count, countOf(0)),
  metadata: t.unknown,
})

const statuses = ['active', 'archived']
const fields = { amount: 'price_amount', amountCents: 'price_amount_cents', asset: 'asset_id' }

const productIn = (input: unknown) => {
  const body = decodeBody(NewProductBody, input)
  return {
    name: body.name,
    description: body.description,
    images: body.images,
    type: body.type,
    currency: body.currency_code,
    price: priceInput(input, fields.amount, fields.amountCents),
    assetId: body.asset_id,
    recurringPeriod: body.recurring_period,
    trialDays: body.trial_days,
    unit: body.unit,
    unitsPerCredit: body.units_per_credit,
    totalCredits: body.total_credits,
    metadata: exactMetadata(body.metadata),
  }
}

/** `/product`, also under the plural. */
export const productRoutes = ({ server, billing }: RouteContext): void => {
  const { products } = billing
  for (const path of ['/product', '/products']) {
    server.post(path, keyed, async (request) => ({
      data: await runCommand(billing, request, (context) => products.create(context, productIn(request.body)), fields),
    }))
    server.get(path, keyedList(), (request) => answerList(request, path, products, { statuses }))
    server.get(`${path}/:id`, keyed, async (request) => ({
      data: await answerOf(products.retrieve(principalOf(request), pathParameter(request, 'id'))),
    }))
  }
}
