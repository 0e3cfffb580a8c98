import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { OfferMandate } from './commands.ts'
import { type Decision, notOpen, reject } from './decision.ts'
import type { CheckoutRecord } from './state.ts'

/** Anyone with the address may ask for offers, and each is recorded: so many at a time are enough for a customer. */
const mostAlive = 20

/** Offered only to the customer of a session that is open until the offer is dead: no mandate of ours comes too late. */
export const offerMandate = ({ at, offer }: OfferMandate, state: CheckoutRecord): Decision => {
  if (state.offers.some(({ transactionHash }) => transactionHash === offer.transactionHash)) return nothing
  if (state.status !== 'open') return notOpen(state)
  const { expiresAt, subscription } = state.details
  if (subscription === undefined) return reject({ _tag: 'NotASubscription' })
  if (state.customerId === null) return reject({ _tag: 'CustomerNeeded' })
  if (at >= expiresAt || offer.maxTime >= expiresAt) return reject({ _tag: 'DeadlinePassed', expiresAt })
  const alive = state.offers.filter(({ maxTime }) => maxTime >= at)
  if (alive.length >= mostAlive) return reject({ _tag: 'OffersExhausted', until: alive[0]?.maxTime ?? at })
  return E.right([{ type: 'MandateOffered', data: offer }])
}
