import { Stroops as Amount, type NewQuote, type Stroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Services } from '../../services/services.ts'
import { capOf } from '../mandates/numbers.ts'
import { type PriceFailure, priceAt } from '../subscriptions/price.ts'
import type { AuthorizationRequest } from './request.ts'

/**
 * The current price of a period, and the most that may be collected for one period under the requested authorisation.
 */
export type RequestPrice = { readonly quote: NewQuote; readonly cap: Stroops }

/**
 * A new mandate gets its cap from the price as it is quoted now, or from the one until a price change if that is dearer; a
 * further approval keeps the cap.
 */
export const requestPrice = async (
  services: Pick<Services, 'clock' | 'settlementOf' | 'networks'>,
  { scope, state, kind, terms, assetId, until }: AuthorizationRequest,
): Promise<E.Either<PriceFailure, RequestPrice>> => {
  const now = services.clock.now(scope.environment)
  const quoted = await priceAt(services, scope, terms.price, { assetId }, now)
  if (E.isLeft(quoted)) return quoted
  const quote = quoted.right
  if (kind === 'allowance') return E.right({ quote, cap: state.authorization.mandate.cap })
  const before = until === null ? quoted : await priceAt(services, scope, until, { assetId }, now)
  if (E.isLeft(before)) return before
  const dearest = before.right.amount > quote.amount ? before.right.amount : quote.amount
  const cap = capOf(dearest, quote.pegged)
  return Amount.is(cap) ? E.right({ quote, cap }) : E.left({ _tag: 'AmountTooLarge' })
}
