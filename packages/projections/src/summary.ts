import { type EventType, idBoundary, PaymentId, type UnixMs } from '@quittance/domain'
import { sql } from 'kysely'
import { given } from './compile.ts'
import type { Dialect } from './dialect.ts'
import { payments } from './payments.ts'
import { publicEventTable } from './public-events/public-event-row.ts'
import type { Scope } from './read-model.ts'
import type { Reading } from './reading.ts'
import { subscriptions } from './subscriptions.ts'
import { type StoredRow, tableName } from './table-rows.ts'

/** Confirmed payments that were made on one day, with prices in one currency; or in one asset, where `isAsset`. */
export type DaysRevenue = {
  /** Days since 1970-01-01, in UTC. */
  readonly day: number
  readonly unit: string
  readonly isAsset: boolean
  readonly payments: number
  /** In hundredths of the currency, or in 10⁻⁷ of the asset. */
  readonly amount: bigint
}

/** Subscriptions that have not ended, with one status, price currency and length of period. */
export type SubscriptionGroup = {
  readonly status: string
  readonly currency: string
  readonly interval: string
  readonly intervalCount: number
  readonly subscriptions: number
  /** What a period of all of them costs, in hundredths of the currency. */
  readonly cents: bigint
}

const dayMs = 86_400_000
/** Sums of amounts may exceed what SQLite adds up: they are made of two parts. */
const part = 1_000_000_000n

const summaryQueries = ({ builder, textAt }: Dialect) => {
  const newest = (table: string, status: string) =>
    builder
      .selectFrom(table)
      .where('merchant_id', '=', given<string>('merchantId'))
      .where('environment', '=', given<string>('environment'))
      .where('status', '=', given<string>(status))
      .orderBy('id', 'desc')
      .limit(given<number>('most'))
  const whole = (...path: ReadonlyArray<string>) => sql<number>`cast(${textAt(path)} as bigint)`
  const currency = textAt(['details', 'currencyCode'])
  const paid = newest(tableName(payments), 'status')
    .where('id', '>', given<string>('from'))
    .select([
      sql<number>`${whole('createdAt')} / ${sql.lit(dayMs)}`.as('day'),
      sql<string>`coalesce(${currency}, ${textAt(['details', 'assetId'])})`.as('unit'),
      sql<number>`case when ${currency} is null then 1 else 0 end`.as('is_asset'),
      sql<number>`case when ${currency} is null then ${whole('confirmation', 'amount')} else ${whole('details', 'amountCents')} end`.as(
        'amount',
      ),
    ])
  const subscribed = newest(tableName(subscriptions), 'status').select([
    textAt(['terms', 'price', 'currency']).as('currency'),
    textAt(['terms', 'interval']).as('every'),
    whole('terms', 'intervalCount').as('times'),
    whole('terms', 'price', 'cents').as('cents'),
  ])
  const published = newest(tableName(publicEventTable), 'type').select([
    whole('occurredAt').as('at'),
    textAt(['resourceId']).as('resource'),
  ])
  const times = sql<number>`count(*)`
  const text = (sum: ReturnType<typeof sql>) => sql<string>`cast(${sum} as text)`
  return {
    revenue: builder
      .selectFrom(paid.as('paid'))
      .select([
        sql.ref<number>('day').as('day'),
        sql.ref<string>('unit').as('unit'),
        sql.ref<number>('is_asset').as('is_asset'),
        times.as('payments'),
        text(sql`sum(amount / ${sql.raw(`${part}`)})`).as('whole'),
        text(sql`sum(amount % ${sql.raw(`${part}`)})`).as('rest'),
      ])
      .groupBy([sql.ref('day'), sql.ref('unit'), sql.ref('is_asset')])
      .orderBy(sql.ref('day'))
      .orderBy(sql.ref('unit'))
      .compile(),
    subscriptions: builder
      .selectFrom(subscribed.as('subscribed'))
      .select([
        sql.ref<string>('currency').as('currency'),
        sql.ref<string>('every').as('every'),
        sql.ref<number>('times').as('times'),
        times.as('subscriptions'),
        text(sql`sum(cents)`).as('cents'),
      ])
      .groupBy([sql.ref('currency'), sql.ref('every'), sql.ref('times')])
      .orderBy(sql.ref('currency'))
      .orderBy(sql.ref('every'))
      .orderBy(sql.ref('times'))
      .compile(),
    published: builder
      .selectFrom(published.as('published'))
      .select([times.as('times'), sql<number>`count(distinct ${sql.ref('resource')})`.as('resources')])
      .where(sql.ref<number>('at'), '>=', given<number>('since'))
      .compile(),
  }
}

const revenueIn = ({ day, unit, is_asset, payments: times, whole, rest }: StoredRow): DaysRevenue => ({
  day: Number(day),
  unit: String(unit),
  isAsset: Number(is_asset) === 1,
  payments: Number(times),
  amount: BigInt(String(whole)) * part + BigInt(String(rest)),
})

const groupIn = (status: string, row: StoredRow): SubscriptionGroup => ({
  status,
  currency: String(row.currency),
  interval: String(row.every),
  intervalCount: Number(row.times),
  subscriptions: Number(row.subscriptions),
  cents: BigInt(String(row.cents)),
})

/** Counts and sums over a merchant's newest records, at most `most` of each kind, so that none takes long. */
export const summaries = (reading: Reading) => {
  const queries = summaryQueries(reading.dialect)
  const revenue = reading.prepare(queries.revenue)
  const groups = reading.prepare(queries.subscriptions)
  const published = reading.prepare(queries.published)
  return {
    /** Of payments that were made from a moment on. */
    revenue: async ({ merchantId, environment }: Scope, since: UnixMs, most: number) => {
      const from = idBoundary(PaymentId, since)
      return (await revenue.all({ merchantId, environment, status: 'confirmed', from, most })).map(revenueIn)
    },
    subscriptions: async ({ merchantId, environment }: Scope, status: string, most: number) =>
      (await groups.all({ merchantId, environment, status, most })).map((row) => groupIn(status, row)),
    /** How often a type of public event happened from a moment on, and to how many resources. */
    published: async ({ merchantId, environment }: Scope, type: EventType, since: UnixMs, most: number) => {
      const row = await published.get({ merchantId, environment, type, since, most })
      return { times: Number(row?.times ?? 0), resources: Number(row?.resources ?? 0) }
    },
  }
}
