import { CurrencyCode, type Environment, type LostPeriods, type RecordedEvent, Subscription } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { sql } from 'kysely'
import { given } from './compile.ts'
import { decodedBy } from './decode.ts'
import type { Dialect } from './dialect.ts'
import type { ReadModel } from './read-model.ts'
import type { Reading } from './reading.ts'
import { type StoredRow, tableName } from './table-rows.ts'

/** What a subscription's periods would have brought that nobody is charged for, because of a cause on our side. */
const LostRevenueRow = t.strict({ currency: CurrencyCode, periods: t.number, cents: t.number })
type LostRevenueRow = t.TypeOf<typeof LostRevenueRow>

const decode = decodedBy(Subscription)

const fold = (row: O.Option<LostRevenueRow>, recorded: RecordedEvent): O.Option<LostRevenueRow> => {
  const { data } = decode(recorded)
  return 'lost' in data && data.lost !== undefined ? O.some(plus(row, data.lost)) : row
}

const plus = (row: O.Option<LostRevenueRow>, { periods, price }: LostPeriods): LostRevenueRow => {
  const known = O.isSome(row) ? row.value : { periods: 0, cents: 0 }
  const cents = known.cents + periods * Number(price.cents)
  return { currency: price.currency, periods: known.periods + periods, cents }
}

/** A row for each subscription that lost something. */
export const lostRevenue: ReadModel<LostRevenueRow> = {
  name: 'lost_revenue',
  version: 1,
  category: Subscription.category,
  row: LostRevenueRow,
  fold,
  columns: ({ currency }) => ({ status: currency }),
}

/** What was lost in a currency, in hundredths of it. */
export type LostRevenue = {
  readonly currency: string
  readonly subscriptions: number
  readonly periods: number
  readonly cents: number
}

const lostRevenueQueries = ({ builder, numberIn }: Dialect) => {
  const sumOf = (field: 'periods' | 'cents') => sql<number>`sum(${numberIn(field)})`.as(field)
  const sums = builder
    .selectFrom(tableName(lostRevenue))
    .select(({ fn }) => ['status', fn.countAll().as('subscriptions'), sumOf('periods'), sumOf('cents')])
    .where('environment', '=', given<string>('environment'))
    .groupBy('status')
    .orderBy('status')
  return {
    all: sums.compile(),
    ofOne: sums.where('merchant_id', '=', given<string>('merchantId')).compile(),
  }
}

const lostRevenueIn = (row: StoredRow): LostRevenue => ({
  currency: String(row.status),
  subscriptions: Number(row.subscriptions),
  periods: Number(row.periods),
  cents: Number(row.cents),
})

/** Sums by currency: of an environment, or of one merchant in it. */
export const lostRevenues = (reading: Reading) => {
  const queries = lostRevenueQueries(reading.dialect)
  const all = reading.prepare(queries.all)
  const ofOne = reading.prepare(queries.ofOne)
  return {
    totals: async (environment: Environment, merchantId: string | null): Promise<ReadonlyArray<LostRevenue>> => {
      const rows = await (merchantId === null ? all.all({ environment }) : ofOne.all({ environment, merchantId }))
      return rows.map(lostRevenueIn)
    },
  }
}
