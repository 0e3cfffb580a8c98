import { amountDue, Checkout, CheckoutId, currentQuote, type Quote, stroops, type UnixMs } from '@quittance/domain'
import { type CheckoutRow, type Found, checkouts as model, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { isIn, rowFrom, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { type CheckoutCost, knownCost } from '../../resources/checkout-cost.ts'
import { quoteFor } from '../../services/quote-for.ts'
import type { Services } from '../../services/services.ts'
import { within } from '../../services/within.ts'
import { trialDaysFor } from '../mandates/trials.ts'
import type { CheckoutNotFound } from './options.ts'

type CostServices = Pick<Services, 'store' | 'readModels' | 'vault' | 'networks' | 'settlementOf'>

/** The longest wait for exchange rates: a checkout is shown without them. */
const longestMs = 1_000

/**
 * What a session asks of its customer at a moment: by the quote that counts then, else by the exchange rates of this moment,
 * which bind nobody. `quotes` are those that it has issued.
 */
export const costAt = async (
  services: CostServices,
  found: Found<CheckoutRow>,
  quotes: ReadonlyArray<Quote>,
  at: UnixMs,
): Promise<E.Either<StoreUnavailable, CheckoutCost>> => {
  const { row } = found
  const known = knownCost(row)
  if (row.status !== 'open') return E.right(known)
  if (at >= row.details.expiresAt) return E.right({ ...known, amountDue: null })
  const plan = row.details.subscription
  const session = { id: decodeOrThrow(CheckoutId, found.id), found, state: row }
  const days = plan === undefined ? E.right(null) : await trialDaysFor(services, session, plan, null)
  if (E.isLeft(days)) return days
  const trialDays = days.right
  if (trialDays !== null && trialDays > 0) return E.right({ amountDue: stroops(0n), trialDays })
  const standing = currentQuote({ ...row, quotes }, at)
  if (standing !== null) return E.right({ amountDue: amountDue(row, standing), trialDays })
  const quoted = await within(longestMs, quoteFor(services, found, at))
  const due = quoted === null || E.isLeft(quoted) ? null : amountDue(row, quoted.right)
  return E.right({ amountDue: due, trialDays })
}

/** A session with what it asks of its customer at a moment. */
export const checkoutWithCost = async (
  services: CostServices,
  scope: Scope,
  id: string,
  at: UnixMs,
): Promise<
  E.Either<StoreUnavailable | CheckoutNotFound, { readonly found: Found<CheckoutRow>; readonly cost: CheckoutCost }>
> => {
  const loaded = await stateOf(services.store)(Checkout, id)
  if (E.isLeft(loaded)) return loaded
  const { events, state } = loaded.right
  const found = O.toNullable(rowFrom(model, id, events))
  if (found === null || !isIn(scope, found) || state.status === 'absent') return E.left({ _tag: 'CheckoutNotFound' })
  const cost = await costAt(services, found, state.quotes, at)
  return E.isLeft(cost) ? cost : E.right({ found, cost: cost.right })
}
