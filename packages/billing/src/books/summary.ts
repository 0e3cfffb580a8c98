import { AssetId, assetCode, type UnixMs, unixMs } from '@quittance/domain'
import { type DaysRevenue, isWaiting, type Scope, type SubscriptionGroup } from '@quittance/projections'
import type * as T from 'fp-ts/lib/Task.js'
import type { Services } from '../services/services.ts'

const dayMs = 86_400_000
/** The days that are counted, today among them. */
const days = 30
/** Of each kind of record, so many are counted: no merchant's summary takes long. */
const most = 10_000
const mostExceptions = 100

type Living = 'trialing' | 'active' | 'past_due' | 'overdue' | 'paused'
const living: ReadonlyArray<Living> = ['trialing', 'active', 'past_due', 'overdue', 'paused']

/** How a merchant's business goes. */
export type Summary = ReturnType<typeof summaryFrom>
export type Summarize = (scope: Scope) => T.Task<Summary>

/** Reads the sums of the last 30 days, and the subscriptions that there are. */
export const summarize =
  ({ caughtUp, readModels, clock }: Pick<Services, 'caughtUp' | 'readModels' | 'clock'>): Summarize =>
  (scope) =>
  async () => {
    await caughtUp.withOwnWrites(scope.merchantId)
    const to = clock.now(scope.environment)
    const from = unixMs((Math.floor(to / dayMs) - days + 1) * dayMs)
    const { summary, exceptions } = readModels
    const published = (type: Parameters<typeof summary.published>[1]) => summary.published(scope, type, from, most)
    const [revenue, groups, canceled, renewed, failed, recovered, open] = await Promise.all([
      summary.revenue(scope, from, most),
      Promise.all(living.map((status) => summary.subscriptions(scope, status, most))),
      published('subscription.canceled'),
      published('subscription.renewed'),
      published('subscription.past_due'),
      published('subscription.recovered'),
      exceptions.page({ ...scope, status: 'open', limit: mostExceptions }),
    ])
    const exceptionsOpen = open.rows.filter(({ row }) => isWaiting(row)).length
    // A subscription is told to be past due twice: at the first failure, and before the last attempt.
    const counted = {
      canceled: canceled.times,
      renewed: renewed.times,
      failed: failed.resources,
      recovered: recovered.resources,
    }
    const isComplete = [canceled, renewed, failed, recovered].every(({ times }) => times < most)
    return summaryFrom(scope, { from, to }, { revenue, groups: groups.flat(), counted, isComplete, exceptionsOpen })
  }

type Found = {
  readonly revenue: ReadonlyArray<DaysRevenue>
  readonly groups: ReadonlyArray<SubscriptionGroup>
  readonly counted: Readonly<Record<'canceled' | 'renewed' | 'failed' | 'recovered', number>>
  /** Whether all public events of this time were counted. */
  readonly isComplete: boolean
  readonly exceptionsOpen: number
}

const summaryFrom = (
  { environment }: Scope,
  { from, to }: { readonly from: UnixMs; readonly to: UnixMs },
  { revenue, groups, counted, isComplete, exceptionsOpen }: Found,
) => {
  const subscriptions = countsOf(groups)
  const alive = Object.values(subscriptions).reduce((sum, each) => sum + each, 0)
  const { canceled, ...renewals } = counted
  const payments = revenue.reduce((sum, each) => sum + each.payments, 0)
  return {
    object: 'summary' as const,
    environment,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    revenue: salesIn(revenue, from),
    subscriptions,
    monthly_recurring: monthlyIn(groups),
    canceled,
    churn: canceled + alive === 0 ? null : canceled / (canceled + alive),
    renewals,
    exceptions_open: exceptionsOpen,
    is_complete: isComplete && ![payments, ...Object.values(subscriptions)].includes(most),
  }
}

const countsOf = (groups: ReadonlyArray<SubscriptionGroup>): Readonly<Record<Living, number>> => {
  const count = (status: Living): number =>
    groups.filter((each) => each.status === status).reduce((sum, each) => sum + each.subscriptions, 0)
  return {
    trialing: count('trialing'),
    active: count('active'),
    past_due: count('past_due'),
    overdue: count('overdue'),
    paused: count('paused'),
  }
}

const salesIn = (revenue: ReadonlyArray<DaysRevenue>, from: UnixMs) => {
  const firstDay = Math.floor(from / dayMs)
  return distinct(revenue.map(({ unit }) => unit)).map((unit) => {
    const own = revenue.filter((each) => each.unit === unit)
    const isAsset = own.some((each) => each.isAsset)
    const total = (some: ReadonlyArray<DaysRevenue>) => ({
      amount: decimalOf(
        some.reduce((sum, each) => sum + each.amount, 0n),
        isAsset ? 7 : 2,
      ),
      payments: some.reduce((sum, each) => sum + each.payments, 0),
    })
    return {
      currency_code: isAsset && AssetId.is(unit) ? assetCode(unit) : unit,
      is_asset: isAsset,
      ...total(own),
      days: Array.from({ length: days }, (_, index) => ({
        date: new Date((firstDay + index) * dayMs).toISOString().slice(0, 10),
        ...total(own.filter(({ day }) => day === firstDay + index)),
      })),
    }
  })
}

/** How many periods of a kind there are in a month on average: 365 days, or 52 weeks, make a year. */
const monthly: Readonly<Record<string, readonly [times: bigint, per: bigint]>> = {
  day: [365n, 12n],
  week: [52n, 12n],
  month: [1n, 1n],
  year: [1n, 12n],
}

const monthlyIn = (groups: ReadonlyArray<SubscriptionGroup>) => {
  const paying = groups.filter(({ status }) => status === 'active' || status === 'past_due')
  return distinct(paying.map(({ currency }) => currency)).map((currency) => ({
    currency_code: currency,
    amount: decimalOf(
      paying
        .filter((each) => each.currency === currency)
        .reduce((sum, { interval, intervalCount, cents }) => {
          const [times, per] = monthly[interval] ?? [0n, 1n]
          return sum + (cents * times) / (per * BigInt(intervalCount))
        }, 0n),
      2,
    ),
  }))
}

const distinct = (names: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(names)].toSorted()

/** A whole number of the smallest part, in base units, without trailing zeros. */
const decimalOf = (parts: bigint, digits: number): string => {
  const text = parts.toString().padStart(digits + 1, '0')
  const fraction = text.slice(-digits).replace(/0+$/, '')
  return fraction === '' ? text.slice(0, -digits) : `${text.slice(0, -digits)}.${fraction}`
}
