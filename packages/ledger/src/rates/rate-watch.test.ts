import { minuteMs, unixMs } from '@quittance/domain'
import { agreeing, observed, request, wednesday } from '../testing/rates.ts'
import { quoteAmount } from './quote.ts'
import { rateWatch } from './rate-watch.ts'

const watched = () => {
  const told: Array<string> = []
  const watch = rateWatch(
    () => wednesday,
    ({ subject, reason }, isOver) => told.push(`${subject}: ${reason}${isOver ? ', over' : ''}`),
  )
  const quote = (observations: typeof request.observations, at = wednesday) =>
    watch.ofLegs(quoteAmount({ ...request, observations, now: at }).verdicts, observations, at)
  return { watch, told, quote }
}

describe('the watch over rate sources', () => {
  it('reports an unavailable document once, another reason, and the recovery', () => {
    const { watch, told } = watched()
    watch.ofDocument('a', null)
    for (let n = 0; n < 3; n++) watch.ofDocument('a', { _tag: 'Refused', status: 500 })
    watch.ofDocument('a', { _tag: 'Unreadable', problem: 'x' })
    expect(watch.troubles()).toEqual([{ subject: 'a', reason: 'Unreadable', since: wednesday }])
    watch.ofDocument('a', null)
    watch.ofDocument('a', null)
    expect([told, watch.troubles()]).toEqual([['a: Refused', 'a: Unreadable', 'a: Unreadable, over'], []])
  })
  it('reports a rejected source even while the others suffice', () => {
    const { told, quote } = watched()
    const good = agreeing('XLM/USD', ['0.25', '0.25'])
    for (let n = 0; n < 2; n++) quote([...good, observed('XLM/USD', '0', 'c')])
    quote([...good, observed('XLM/USD', '0.25', 'c')])
    expect(told).toEqual(['XLM/USD of c: NotPositive', 'XLM/USD of c: NotPositive, over'])
  })
  it('reports a pair without a rate', () => {
    const { told, quote } = watched()
    quote([observed('XLM/USD', '0.25')])
    quote(agreeing('XLM/USD', ['0.25', '0.25']))
    expect(told).toEqual(['XLM/USD: TooFewSources', 'XLM/USD: TooFewSources, over'])
  })
  it('ignores quotes for the past', () => {
    const { told, quote } = watched()
    quote(agreeing('XLM/USD', ['0.25', '0.25']), unixMs(wednesday - 10 * minuteMs))
    expect(told).toEqual([])
  })
})
