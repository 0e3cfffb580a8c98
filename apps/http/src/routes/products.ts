import { count as countOf, ProductType, positiveCount as positive, RecurringPeriod } from '@quittance/domain'
import * as t from 'io-ts'
import { answerOf, authenticate, runCommand } from '../wire/call.ts'
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
import { listOf, pageRequest } from '../wire/lists.ts'
import { pathParameter, type RouteContext } from './route.ts'

const NewProductBody = t.type({
  name: text(250),
  description: optional(text(5_000)),
  images: withDefault<ReadonlyArray<t.TypeOf<typeof httpUrl>>>(
    described(t.readonlyArray(httpUrl), 'a list of http or https addresses'),
    [],
  ),
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

/** `/product`, also under the plural. */
export const productRoutes = ({ server, billing }: RouteContext): void => {
  for (const path of ['/product', '/products']) {
    server.post(path, async (request) => {
      const principal = authenticate(billing, request)
      const body = decodeBody(NewProductBody, request.body)
      const product = {
        name: body.name,
        description: body.description,
        images: body.images,
        type: body.type,
        currency: body.currency_code,
        price: priceInput(request.body, 'price_amount', 'price_amount_cents'),
        assetId: body.asset_id,
        recurringPeriod: body.recurring_period,
        trialDays: body.trial_days,
        unit: body.unit,
        unitsPerCredit: body.units_per_credit,
        totalCredits: body.total_credits,
        metadata: body.metadata,
      }
      return {
        data: await runCommand(billing, request, principal, (context) => billing.products.create(context, product)),
      }
    })
    server.get(path, async (request) => {
      const principal = authenticate(billing, request)
      return listOf(path, billing.products.list(pageRequest(principal, request.query)))
    })
    server.get(`${path}/:id`, async (request) => {
      const principal = authenticate(billing, request)
      return { data: await answerOf(billing.products.retrieve(principal, pathParameter(request.params, 'id'))) }
    })
  }
}
