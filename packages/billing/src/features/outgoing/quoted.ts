import { type AssetId, CurrencyCode, cents, type Stroops } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { Services } from '../../services/services.ts'

/** What is quoted: enough that rounding does not matter. */
export const compared = { _tag: 'fiat' as const, currency: decodeOrThrow(CurrencyCode, 'USD'), cents: cents(10_000n) }

/**
 * How much of an asset is worth `compared` by the rates of this moment; null if nobody knows. An asset has a rate if the
 * merchant accepts it, or if it is one of the network's own: the same code by another issuer says nothing about its worth.
 */
export const quotedIn = async (
  services: Pick<Services, 'networks' | 'settlementOf' | 'clock'>,
  { merchantId, environment }: Scope,
  assetId: AssetId,
): Promise<Stroops | null> => {
  const network = services.networks[environment]
  const settlement = await services.settlementOf(merchantId, environment)()
  const accepted = E.isRight(settlement) ? settlement.right.accepted : []
  const asset = [...accepted, ...(network?.assets ?? [])].find((each) => each.assetId === assetId)
  if (network === null || asset === undefined) return null
  const quote = await network.quote(compared, asset, services.clock.now(environment))()
  return E.isRight(quote) ? quote.right.amount : null
}
