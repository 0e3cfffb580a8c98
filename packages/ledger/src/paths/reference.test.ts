import { stroops, unixMs } from '@quittance/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Rational } from '../rates/rational.ts'
import { sandboxRates } from '../rates/sandbox-rates.ts'
import type { RateObservation, RateSource } from '../rates/source.ts'
import * as rated from '../testing/rates.ts'
import { agreeing, currency, observed, wednesday } from '../testing/rates.ts'
import { referenceFrom } from './reference.ts'

const xlm = { assetId: rated.xlm.assetId, pegged: false }
const usdc = { assetId: rated.usdc.assetId, pegged: true }
const eurc = { assetId: rated.eurc.assetId, pegged: true }

const told = (...observations: ReadonlyArray<RateObservation>): RateSource => ({
  observe: () => TE.right(observations),
})
const ofOneUsdc = (source: RateSource) => referenceFrom(source)(stroops(10_000_000n), usdc, xlm, wednesday)()
const worth = (found: Rational | null) => found?.valueOf()

describe('the reference price of an amount in another asset', () => {
  it('follows from both legs over USD', async () => {
    expect(worth(await ofOneUsdc(sandboxRates))).toBe(40_000_000)
    expect(worth(await referenceFrom(sandboxRates)(stroops(10_000_000n), xlm, eurc, wednesday)())).toBeCloseTo(
      2_314_814.8148,
    )
  })
  it('does not trust pegs', async () =>
    expect(
      worth(await ofOneUsdc(told(...agreeing('USDC/USD', ['0.9', '0.9']), ...agreeing('XLM/USD', ['0.3', '0.3'])))),
    ).toBe(30_000_000))

  it('uses the currency of an asset at par, which no market has to cover', async () => {
    const dollars = { ...usdc, peg: currency('USD') }
    const euros = { ...eurc, peg: currency('EUR') }
    const source = told(...agreeing('USD/EUR', ['0.8', '0.8']), ...agreeing('USDC/USD', ['0.5', '0.5']))
    const amount = stroops(10_000_000n)
    expect(worth(await referenceFrom(source)(amount, euros, dollars, wednesday)())).toBe(12_500_000)
    expect(worth(await referenceFrom(source)(amount, dollars, dollars, wednesday)())).toBe(10_000_000)
  })

  it.each<[string, RateSource]>([
    [
      'nobody can be asked',
      { observe: () => TE.left({ _tag: 'RateUnavailable', pair: 'x', reason: 'SourceUnreachable', cause: '' }) },
    ],
    ['only one source tells', told(...agreeing('USDC/USD', ['1', '1']), observed('XLM/USD', '0.25', 'a'))],
    [
      'one leg is too old',
      told(
        ...agreeing('USDC/USD', ['1', '1']),
        ...['a', 'b'].map((source) => observed('XLM/USD', '0.25', source, unixMs(wednesday - 121_000))),
      ),
    ],
    ['a rate is zero', told(...agreeing('USDC/USD', ['1', '1']), ...agreeing('XLM/USD', ['0', '0']))],
  ])('is null where %s', async (_, source) => expect(await ofOneUsdc(source)).toBeNull())
})
