import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Manner, startMarket } from '@quittance/ledger/testing/markets'

const dayMs = 24 * 60 * 60 * 1000

/** The rates of all markets, which tests may change: units of EUR for one USD, and USD for one unit of each asset. */
export type Beliefs = { eur: string; xlm: string; usdc: string; nowMs: () => number }

/**
 * Two currency tables and three asset markets on this machine, and the file that configures them. They agree and are
 * fresh, unless a test changes one.
 */
export const startMarkets = async (directory: string) => {
  const beliefs: Beliefs = { eur: '0.8', xlm: '0.25', usdc: '1', nowMs: Date.now }
  const documents = {
    table: () =>
      `{"result":"success","base_code":"USD","time_last_update_unix":${seconds()},"rates":{"EUR":${beliefs.eur}}}`,
    daily: () => `{"date":"${new Date(beliefs.nowMs()).toISOString().slice(0, 10)}","usd":{"eur":${beliefs.eur}}}`,
    prices: () =>
      `{"stellar":{"usd":${beliefs.xlm},"last_updated_at":${seconds()}},"usd-coin":{"usd":${beliefs.usdc},"last_updated_at":${seconds()}}}`,
    xlm: () => `{"last":"${beliefs.xlm}","timestamp":"${seconds()}"}`,
    usdc: () => `{"last":"${beliefs.usdc}","timestamp":"${seconds()}"}`,
  }
  const seconds = (): number => Math.floor(beliefs.nowMs() / 1000)
  const honest =
    (document: () => string): Manner =>
    (response) =>
      void response.setHeader('content-type', 'application/json').end(document())
  const [table, daily, prices, one, other] = await Promise.all(Array.from({ length: 5 }, () => startMarket()))
  if (!(table && daily && prices && one && other)) throw new Error('five were started')
  const all = [table, daily, prices, one, other]
  const areHonest = (): void => {
    table.behaves(honest(documents.table))
    daily.behaves(honest(documents.daily))
    prices.behaves(honest(documents.prices))
    for (const exchange of [one, other]) {
      exchange.behaves(honest(documents.xlm), '/xlm')
      exchange.behaves(honest(documents.usdc), '/usdc')
    }
  }
  areHonest()
  const exchange = (name: string, url: string) => ({
    ...{ kind: 'ticker', name, url: `${url}/{market}`, price: 'last', time: 'timestamp' },
    pairs: { 'XLM/USD': 'xlm', 'USDC/USD': 'usdc' },
  })
  const sources = [
    { kind: 'open-er-api', name: 'table', url: table.url, ttl_seconds: 30 },
    { kind: 'currency-api', name: 'daily', url: daily.url, ttl_seconds: 30 },
    { kind: 'coingecko', name: 'prices', url: prices.url, ids: { XLM: 'stellar', USDC: 'usd-coin' } },
    exchange('one', one.url),
    exchange('other', other.url),
  ]
  const file = join(directory, 'rates.json')
  writeFileSync(file, JSON.stringify({ sources }))
  return {
    file,
    beliefs,
    documents,
    areHonest,
    /** One of two currency tables. */
    table,
    /** One of three asset markets. */
    one,
    all,
    /** A document as it was so many days ago. */
    daysAgo: (days: number, document: () => string) => (): string => {
      const now = beliefs.nowMs
      beliefs.nowMs = () => now() - days * dayMs
      const text = document()
      beliefs.nowMs = now
      return text
    },
    close: async (): Promise<void> => {
      await Promise.all(all.map((market) => market.close()))
    },
  }
}
export type Markets = Awaited<ReturnType<typeof startMarkets>>
