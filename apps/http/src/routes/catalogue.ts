import { assetCode, issuerOf, supportedCurrencies } from '@quittance/domain'
import { answerOf, authenticate } from '../wire/call.ts'
import type { RouteContext } from './route.ts'

/** What can be sold for: the merchant's assets in the key's environment, and the currencies prices are stated in. */
export const catalogueRoutes = ({ server, billing }: RouteContext): void => {
  server.get('/assets', async (request) => {
    const { merchantId, environment } = authenticate(billing, request)
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
  server.get('/currencies', async (request) => {
    authenticate(billing, request)
    return { data: supportedCurrencies.map(({ code }) => code) }
  })
}
