import * as E from 'fp-ts/lib/Either.js'
import { type RatesConfig, ratesConfigFrom } from './rates-config.ts'

const decoded = (input: unknown): RatesConfig => {
  const config = ratesConfigFrom(input)
  if (E.isLeft(config)) throw new Error(config.left.join('; '))
  return config.right
}

/**
 * Public sources that ask for no key: two tables of currencies, and for each of XLM, USDC and EURC two markets or more.
 * Their terms and limits are in docs/rates.md. XLM is what Stellar's network has; USDC and EURC are Circle's.
 */
export const publicRates: RatesConfig = decoded({
  majors: ['AUD', 'CAD', 'CHF', 'CNY', 'DKK', 'EUR', 'GBP', 'HKD', 'JPY', 'NOK', 'NZD', 'SEK', 'SGD'],
  sources: [
    { kind: 'open-er-api', name: 'open.er-api.com', url: 'https://open.er-api.com/v6/latest/USD' },
    {
      kind: 'currency-api',
      name: 'currency-api',
      url: 'https://cdn.jsdelivr.net/npm/@fawazahmed0/currency-api@latest/v1/currencies/usd.json',
    },
    {
      kind: 'coingecko',
      name: 'coingecko',
      url: 'https://api.coingecko.com/api/v3/simple/price',
      ids: { XLM: 'stellar', USDC: 'usd-coin', EURC: 'euro-coin' },
      ttl_seconds: 30,
    },
    {
      kind: 'ticker',
      name: 'coinbase',
      url: 'https://api.exchange.coinbase.com/products/{market}/ticker',
      price: 'price',
      time: 'time',
      pairs: { 'XLM/USD': 'XLM-USD', 'EURC/USD': 'EURC-USD' },
    },
    {
      kind: 'ticker',
      name: 'bitstamp',
      url: 'https://www.bitstamp.net/api/v2/ticker/{market}/',
      price: 'last',
      time: 'timestamp',
      pairs: { 'XLM/USD': 'xlmusd', 'USDC/USD': 'usdcusd' },
    },
    {
      kind: 'ticker',
      name: 'kraken',
      url: 'https://api.kraken.com/0/public/Ticker?pair={market}',
      price: 'result.{market}.c.0',
      time: null,
      pairs: { 'USDC/USD': 'USDCUSD' },
    },
  ],
})
