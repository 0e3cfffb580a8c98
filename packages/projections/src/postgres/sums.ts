import { postgres } from '../dialect.ts'
import { lostRevenueIn, lostRevenueQueries, type lostRevenues } from '../lost-revenue.ts'
import { type bookedFees, bookedFeesIn, bookedFeesQueries } from '../platform-fees.ts'
import { type progressCounts, progressIn, progressQuery } from '../price-change-subscriptions.ts'
import type { Asynchronous } from './asynchronous.ts'
import { type PostgresReading, prepare } from './prepare.ts'

export const postgresLostRevenues = (reading: PostgresReading): Asynchronous<ReturnType<typeof lostRevenues>> => {
  const queries = lostRevenueQueries(postgres)
  const all = prepare(reading, queries.all)
  const ofOne = prepare(reading, queries.ofOne)
  return {
    totals: async (environment, merchantId) => {
      const rows = await (merchantId === null ? all.all({ environment }) : ofOne.all({ environment, merchantId }))
      return rows.map(lostRevenueIn)
    },
  }
}

export const postgresBookedFees = (reading: PostgresReading): Asynchronous<ReturnType<typeof bookedFees>> => {
  const queries = bookedFeesQueries(postgres)
  const all = prepare(reading, queries.all)
  const ofMerchant = prepare(reading, queries.ofMerchant)
  return {
    of: async ({ merchantId, environment }, after) =>
      (await ofMerchant.all({ merchantId, environment, after })).map(bookedFeesIn),
    all: async (environment, after) => (await all.all({ environment, after })).map(bookedFeesIn),
  }
}

export const postgresProgressCounts = (reading: PostgresReading): Asynchronous<ReturnType<typeof progressCounts>> => {
  const counted = prepare(reading, progressQuery(postgres))
  return {
    of: async ({ merchantId, environment }, priceChangeId) =>
      progressIn(await counted.all({ merchantId, environment, listedUnder: priceChangeId })),
  }
}
