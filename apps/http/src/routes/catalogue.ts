import { assetCode, issuerOf, supportedCurrencies } from '@quittance/domain'
import { principalOf } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { keyed, type RouteContext } from './route.ts'

/** What can be sold for: the merchant's assets in the key's environment, and the currencies prices are stated in. */
export const catalogueRoutes = ({ server, billing }: RouteContext): void => {
  server.get('/assets', keyed, async (request) => {
    const { merchantId, environment } = principalOf(request)
    const { accepted } = await answerOf(billing.settlement(merchantId, environment))
    return {
      data: accepted.map(({ assetId, description }) => ({
        asset_id: assetId,
        code: assetCode(assetId),
        description,
        canonicalIssuer: issuerOf(assetId),
        images: [],
      })),
    }
  })
  server.get('/currencies', keyed, async () => ({ data: supportedCurrencies.map(({ code }) => code) }))
}
