import { PaymentId } from '@quittance/domain'
import { contractsIn, type Invariant, ledgersOf, type Settled } from './invariant.ts'
import { mandatesOf, subscriptionHistories } from './subscription-histories.ts'

const factsOn = async (settled: Settled) =>
  (await ledgersOf(settled)).flatMap((ledger) => ledger.mandatesOf(contractsIn(settled)))

export const migrationRules: ReadonlyArray<Invariant> = [
  {
    rule: 'the ledger holds one charge of a period at most, whichever mandates a subscription has had',
    broken: async (settled) => {
      const charges = (await factsOn(settled)).flatMap((fact) =>
        fact._tag === 'MandateCharged' ? [fact.reference] : [],
      )
      const charged = new Set(charges.filter((reference) => PaymentId.is(reference)))
      return (await subscriptionHistories(settled)).flatMap(({ id, events }) => {
        const periods = events.flatMap(({ type, data }) =>
          type === 'ChargeAttempted' && charged.has(data.paymentId) ? [data.n] : [],
        )
        const twice = periods.filter((n, index) => periods.indexOf(n) !== index)
        return twice.map((n) => `period ${n} of ${id} is charged twice`)
      })
    },
  },
  {
    rule: 'the service ends no mandate on the ledger before another one is there, unless its subscription has ended',
    broken: async (settled) => {
      // A restored log may have lost the end of a subscription.
      if (settled.isPutBack) return []
      const lived = await subscriptionHistories(settled)
      return (await factsOn(settled)).flatMap((fact) => {
        if (fact._tag !== 'MandateCancelled') return []
        for (const { id, events, ...rest } of lived) {
          const mandates = mandatesOf({ id, events, ...rest })
          const index = mandates.findIndex(({ mandateId }) => mandateId === fact.mandate)
          if (index < 0 || mandates[index]?.operator !== fact.by) continue
          const replaced = events.flatMap(({ type, data }) => (type === 'MandateReplaced' ? [data.closedAt] : []))[
            index
          ]
          const ended = events.flatMap(({ type, data }) =>
            type === 'SubscriptionCanceled' ? [data.canceledAt] : [],
          )[0]
          if (fact.closedAt < Math.min(replaced ?? Number.POSITIVE_INFINITY, ended ?? Number.POSITIVE_INFINITY))
            return [`${fact.mandate} of ${id} is ended before there is another one`]
        }
        return []
      })
    },
  },
]
