import { currency, eurc, usdc, xlm } from '../testing/rates.ts'
import { pricingOf } from './priced-asset.ts'

const byPeg = pricingOf(() => false)

describe('an accepted asset', () => {
  it.each([
    ['is XLM', { assetId: xlm.assetId, pegged: false }, xlm],
    [
      'promises a dollar where it is pegged and its code says nothing else',
      { assetId: usdc.assetId, pegged: true },
      usdc,
    ],
    ['promises a euro by its code', { assetId: eurc.assetId, pegged: true }, eurc],
    ['promises nothing where it is not pegged', { assetId: usdc.assetId, pegged: false }, { ...usdc, peg: null }],
  ])('%s', (_, accepted, priced) => expect(byPeg(accepted)).toEqual(priced))

  const named = { assetId: usdc.assetId, pegged: true, peg: currency('CHF') }
  it('is at par with the peg that it names, whatever its code', () =>
    expect(byPeg(named)).toEqual({ ...usdc, peg: 'CHF', isAtPar: true }))
  it('is worth the observed rate where sources cover it, even with a named peg', () =>
    expect(pricingOf((asset) => asset === named.assetId)(named)).toEqual({ ...usdc, peg: 'CHF' }))
})
