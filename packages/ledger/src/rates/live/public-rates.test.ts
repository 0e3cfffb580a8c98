import { readFileSync } from 'node:fs'
import { publicRates } from './public-rates.ts'
import { documentsOf } from './rates-config.ts'

const documents = publicRates.sources.flatMap(documentsOf)

describe('the public sources of rates', () => {
  it.each(['USD/EUR', 'USD/JPY', 'XLM/USD', 'USDC/USD', 'EURC/USD'])('are two or more for %s', (pair) =>
    expect(new Set(documents.filter(({ covers }) => covers(pair)).map(({ source }) => source)).size).toBeGreaterThan(1),
  )
  it('have https addresses without keys', () =>
    expect(
      documents.map(({ url }) => url).filter((url) => !url.startsWith('https://') || /key|token/i.test(url)),
    ).toEqual([]))
  it('are those of the example file', () =>
    expect(publicRates).toEqual(JSON.parse(readFileSync('docs/example/rates.json', 'utf8'))))
})
