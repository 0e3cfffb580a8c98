import { Subscription, settlementOf } from '@quittance/domain'
import { decodedBy, type Found, type PaymentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { sessionsOf } from '../../kernel/session-kinds.ts'
import { timestamp } from '../../resources/fields.ts'
import type { PortalServices } from '../services.ts'

/** A rate that made the amount of the price. Without a source and a time: the last one that sources had agreed on. */
export type ReceiptRate = {
  readonly pair: string
  readonly rate: string
  readonly source: string | null
  readonly observedAt: string | null
}

type Rates = E.Either<StoreUnavailable, ReadonlyArray<ReceiptRate>>

/** The rates of the quote that was paid, or of the charge. */
export const ratesOf = (services: PortalServices, { id, row }: Found<PaymentRow>): Promise<Rates> => {
  const { checkoutId, subscriptionId, invoiceId } = row.details
  return subscriptionId === null || invoiceId !== undefined
    ? quotedRates(services, invoiceId ?? checkoutId)
    : chargedRates(services, subscriptionId, id)
}

const quotedRates = async ({ store }: PortalServices, sessionId: string): Promise<Rates> => {
  const session = await stateOf(store)(sessionsOf(sessionId), sessionId)
  if (E.isLeft(session)) return session
  const { state } = session.right
  const settlement = state.status === 'absent' ? null : settlementOf(state)
  if (state.status === 'absent' || settlement === null) return E.right([])
  const { amountDue, closedAt } = settlement
  const paid = state.quotes.findLast(({ amount, validFrom }) => amount === amountDue && validFrom <= closedAt + 1_000)
  return E.right((paid?.rates ?? []).map(({ observedAt, ...rate }) => ({ ...rate, observedAt: timestamp(observedAt) })))
}

const decode = decodedBy(Subscription)

const chargedRates = async ({ store }: PortalServices, subscriptionId: string, paymentId: string): Promise<Rates> => {
  const slice = await store.readStream(`${Subscription.category}-${subscriptionId}`)()
  if (E.isLeft(slice)) return slice
  const attempted = slice.right.events.filter(({ type }) => type === 'ChargeAttempted').map(decode)
  for (const { type, data } of attempted) {
    if (type !== 'ChargeAttempted' || data.paymentId !== paymentId) continue
    const agreed = (data.agreedRates ?? []).map((rate) => ({ ...rate, source: null, observedAt: null }))
    const observed = data.rates.map(({ observedAt, ...rate }) => ({ ...rate, observedAt: timestamp(observedAt) }))
    return E.right([...observed, ...agreed])
  }
  return E.right([])
}
