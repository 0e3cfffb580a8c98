import { cents, supportedCurrencies, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { currency, eurc, request, usdc, wednesday, xlm } from '../testing/rates.ts'
import { type QuoteRequest, quoteAmount, quotedPairs } from './quote.ts'
import { sandboxRates } from './sandbox-rates.ts'

const quoted = async (changed: Partial<QuoteRequest>) => {
  const asked = { ...request, ...changed }
  const observations = await sandboxRates.observe(quotedPairs(asked), asked.now)()
  if (E.isLeft(observations)) throw new Error(observations.left._tag)
  return quoteAmount({ ...asked, observations: observations.right }).quote
}

describe('the rates of a sandbox', () => {
  it.each([
    ['USD', xlm, 400_000_000n],
    ['USD', usdc, 100_000_000n],
    ['USD', eurc, 92_592_593n],
    ['EUR', eurc, 100_000_000n],
    ['EUR', usdc, 108_000_000n],
  ])('convert 10 %s exactly', async (code, asset, amount) =>
    expect(await quoted({ currency: currency(code), asset })).toEqual(E.right(expect.objectContaining({ amount }))),
  )
  it('come from two sources, fresh at any time', async () => {
    const now = unixMs(wednesday + 10 ** 10)
    expect(await sandboxRates.observe(['XLM/USD', 'XLM/EUR'], now)()).toEqual(
      E.right(
        ['sandbox-one', 'sandbox-two'].map((source) => ({ source, pair: 'XLM/USD', rate: '0.25', observedAt: now })),
      ),
    )
  })
  it.each(supportedCurrencies.map(({ code }) => code))('quote %s in every asset', async (code) => {
    const quotes = await Promise.all(
      [xlm, usdc, eurc].map((asset) => quoted({ cents: cents(100_000n), currency: code, asset })),
    )
    expect(quotes.map(({ _tag }) => _tag)).toEqual(['Right', 'Right', 'Right'])
  })
  it('have no rate for any other asset', async () =>
    expect(await quoted({ asset: { ...xlm, code: 'DOGE' } })).toEqual(
      E.left({ _tag: 'RateUnavailable', pair: 'DOGE/USD', reason: 'TooFewSources', rejected: [] }),
    ))
})
