import type { Billing } from '@quittance/billing'
import { Asset } from '@quittance/client/wire'
import { assetCode, issuerOf, supportedCurrencies } from '@quittance/domain'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { type Route, route } from '../wire/route.ts'

/** The merchant's assets in the environment of the key, and the currencies of prices. */
export const catalogueRoutes = (billing: Billing): ReadonlyArray<Route> => [
  route({
    method: 'GET',
    path: '/assets',
    summary: 'List the assets that are accepted',
    auth: keyed('products:read'),
    answer: t.readonlyArray(Asset),
    problems: ['merchant_not_ready'],
    handler: async ({ principal }) => {
      const { merchantId, environment } = principal()
      const { accepted } = await answerOf(billing.settlement(merchantId, environment))
      return accepted.map(({ assetId, description }) => ({
        asset_id: assetId,
        code: assetCode(assetId),
        description,
        canonicalIssuer: issuerOf(assetId),
        images: [],
      }))
    },
  }),
  route({
    method: 'GET',
    path: '/currencies',
    summary: 'List the currencies that prices can be stated in',
    auth: keyed('products:read'),
    answer: t.readonlyArray(t.string),
    handler: async () => supportedCurrencies.map(({ code }) => code),
  }),
]
