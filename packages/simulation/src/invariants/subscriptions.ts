import { filterInTurn } from '@quittance/billing/testing/internals'
import { done } from '@quittance/billing/testing/outcomes'
import { nextStep, PaymentId } from '@quittance/domain'
import { offCalendar } from './calendar.ts'
import { contractsIn, type Invariant, ledgersOf, mismatches, type Settled } from './invariant.ts'
import { mandatesOf, type SubscriptionHistory, subscriptionHistories } from './subscription-histories.ts'

/** The charges of our payments in closed ledgers. */
const chargesOn = async (settled: Settled) => {
  const { fixture } = settled
  const contracts = contractsIn(settled)
  return (await ledgersOf(settled))
    .flatMap((ledger) => ledger.mandatesOf(contracts))
    .filter((fact) => fact._tag === 'MandateCharged')
    .filter(({ payee, reference }) => payee === fixture.account && PaymentId.is(reference))
}

/** Why a subscription is stuck; null where it is not. */
const isStuck = (
  { state }: SubscriptionHistory,
  now: Parameters<typeof nextStep>[1],
  policy: Parameters<typeof nextStep>[2],
): string | null => {
  const { lifecycle, collection, attempts, retryAt, trouble } = state
  if (attempts.some(({ status }) => status === 'under_way')) return 'has an attempt under way'
  const step = nextStep(state, now, policy)
  if (step._tag !== 'nothing') return `waits for ${step._tag}`
  if (lifecycle._tag !== 'running') return trouble === null ? null : 'raises an alarm without cause'
  if (collection._tag === 'dunning' && retryAt === null && collection.overdueAt === null)
    return 'is overdue without an end'
  return step.until === null && state.authorization.ended === null ? 'is never due again' : null
}

/** `closedAt` of charges on the ledger: a restored log may recover one after it has recorded a pause or an end. */
const wrongIn = ({ id, events }: SubscriptionHistory, closedAt: ReadonlyMap<string, number>): ReadonlyArray<string> => {
  const [paid, attempted, forgiven] = [new Set<number>(), new Map<string, number>(), new Set<number>()]
  const wrong: Array<string> = []
  let pausedAt: number | null = null
  let canceledAt: number | null = null
  for (const { type, data } of events) {
    switch (type) {
      case 'Paused':
        pausedAt = data.at
        break
      case 'Resumed':
        pausedAt = null
        break
      case 'SubscriptionCanceled':
        canceledAt = data.canceledAt
        break
      case 'PeriodsForgiven':
        for (let n = data.from; n <= data.to; n++) forgiven.add(n)
        break
      case 'ChargeAttempted': {
        const restsSince = canceledAt ?? (data.why === 'resume' ? null : pausedAt)
        if (restsSince !== null && (closedAt.get(data.paymentId) ?? Number.POSITIVE_INFINITY) > restsSince)
          wrong.push(`${data.paymentId} is attempted during a pause or after the end`)
        attempted.set(data.paymentId, data.n)
        break
      }
      case 'ChargeConfirmed':
      case 'InvoiceSettled':
        if (paid.has(data.n)) wrong.push(`period ${data.n} is paid for twice`)
        if (forgiven.has(data.n)) wrong.push(`period ${data.n} is paid although it was forgiven`)
        if (type === 'ChargeConfirmed' && attempted.get(data.paymentId) !== data.n)
          wrong.push(`${data.paymentId} was never attempted`)
        paid.add(data.n)
        break
    }
  }
  return wrong.map((what) => `${id}: ${what}`)
}

export const subscriptionRules: ReadonlyArray<Invariant> = [
  {
    rule: 'a mandate is charged at most once per period and up to its cap, and the books agree with the ledger',
    broken: async (settled) => {
      const { payments, ledgerTransactions } = settled.services.readModels
      const charges = await chargesOn(settled)
      const lived = await subscriptionHistories(settled)
      const capOf = new Map(lived.flatMap(mandatesOf).map(({ mandateId, cap }) => [mandateId, cap]))
      const periods = charges.map(({ mandate, periodStart }) => `${mandate} ${periodStart}`)
      const twice = periods.filter((period, index) => periods.indexOf(period) !== index)
      const tooMuch = charges.filter(({ mandate, amount }) => amount > (capOf.get(mandate) ?? 0n))
      const unknown = await filterInTurn(
        charges,
        async ({ transactionHash, innerHash }) =>
          (await ledgerTransactions.withId(innerHash ?? transactionHash)) === null,
      )
      const onLedger = charges.map(({ reference, amount, closedAt }) => `${reference} ${amount} ${closedAt}`).sort()
      const ours = (await payments.all())
        .flatMap(({ id, row }) =>
          row.status === 'confirmed' && row.details.cause === 'renewal'
            ? [`${id} ${row.confirmation.amount} ${row.confirmation.confirmedAt}`]
            : [],
        )
        .sort()
      return [
        ...twice.map((period) => `${period} is charged twice`),
        ...tooMuch.map(({ reference }) => `${reference} is above the cap`),
        ...unknown.map(({ reference }) => `${reference} is charged by no transaction of ours`),
        ...mismatches('our renewals', ours, onLedger),
      ]
    },
  },
  {
    rule: 'each paid period has one confirmed payment, and each confirmed payment pays for one period or is unapplied',
    broken: async (settled) => {
      const { payments } = settled.services.readModels
      const recorded = (await subscriptionHistories(settled)).flatMap(({ events }) =>
        events.flatMap(({ type, data }) =>
          type === 'ChargeConfirmed' || type === 'InvoiceSettled' || type === 'PaymentSetAside'
            ? [`${data.paymentId} ${data.n} ${data.transactionHash}`]
            : [],
        ),
      )
      const confirmed = (await payments.all()).flatMap(({ id, row }) =>
        row.status === 'confirmed' && row.details.subscriptionId !== null
          ? [`${id} ${row.details.period} ${row.confirmation.transactionHash}`]
          : [],
      )
      return mismatches('payments of subscriptions', recorded.sort(), confirmed.sort())
    },
  },
  {
    rule: 'no subscription is stuck or has an attempt under way',
    broken: async (settled) => {
      const { services, fixture } = settled
      const now = await services.cursors.closedAt('testnet')
      const { policy } = await done(services.settlementOf(fixture.merchantId, 'testnet'))
      if (now === null) return []
      return (await subscriptionHistories(settled)).flatMap((lived) => {
        const why = isStuck(lived, now, policy)
        return why === null ? [] : [`${lived.id} is ${lived.state.status}, and ${why}`]
      })
    },
  },
  {
    rule: 'no forgiven period is charged, none is attempted during a pause or after the end, and periods follow the calendar',
    broken: async (settled) => {
      const charges = await chargesOn(settled)
      const closedAt = new Map(charges.map((charge) => [charge.reference, charge.closedAt]))
      return (await subscriptionHistories(settled)).flatMap((lived) => [
        ...wrongIn(lived, closedAt),
        ...offCalendar(lived.events, closedAt).map((what) => `${lived.id}: ${what}`),
      ])
    },
  },
]
