import { type RecordedEvent, Subscription, type SubscriptionEvent } from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import type { Breach } from '../../stores/invariant.ts'

const decode = decodedBy(Subscription)

/** The sum of a mandate's charges for one period. */
type ChargedSum = { readonly mandateId: string; readonly periodStart: number; readonly sum: bigint }

/** The periods for which a subscription charged more on a mandate than the customer has signed. */
export const chargeBreaches = (
  { category }: { readonly category: string },
  recorded: ReadonlyArray<RecordedEvent>,
): ReadonlyArray<Breach> => {
  if (category !== Subscription.category) return []
  const events = recorded.map(decode)
  const caps = capsIn(events)
  return chargedIn(events)
    .filter(({ mandateId, sum }) => sum > (caps.get(mandateId) ?? 0n))
    .map(({ mandateId, periodStart, sum }) => ({
      invariant: 'charged_within_cap',
      detail: `${mandateId} was charged ${sum} for the period from ${new Date(periodStart).toISOString()}`,
    }))
}

const capsIn = (events: ReadonlyArray<SubscriptionEvent>): ReadonlyMap<string, bigint> =>
  new Map(
    events.flatMap(({ type, data }) => {
      if (type === 'SubscriptionStarted') return [[data.details.mandate.mandateId, data.details.mandate.cap] as const]
      return type === 'MandateReplaced' ? [[data.mandate.mandateId, data.mandate.cap] as const] : []
    }),
  )

const chargedIn = (events: ReadonlyArray<SubscriptionEvent>): ReadonlyArray<ChargedSum> => {
  const paid = new Set<string>(
    events.flatMap(({ type, data }) =>
      type === 'ChargeConfirmed' || type === 'PaymentSetAside' ? [data.paymentId] : [],
    ),
  )
  const byPeriod = new Map<string, ChargedSum>()
  for (const { type, data } of events) {
    if (type !== 'ChargeAttempted' || !paid.has(data.paymentId)) continue
    const { mandateId, period, amount } = data
    const key = `${mandateId} ${period.start}`
    const sum = (byPeriod.get(key)?.sum ?? 0n) + amount
    byPeriod.set(key, { mandateId, periodStart: period.start, sum })
  }
  return [...byPeriod.values()]
}
