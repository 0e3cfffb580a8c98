import { minuteMs, secondMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { observed, wednesday } from '../../testing/rates.ts'
import type { RateDocument } from './document.ts'
import type { SourceFailure } from './fetch-document.ts'
import { keptDocument } from './kept-document.ts'

const refused: SourceFailure = { _tag: 'Refused', status: 500 }

/** A document that holds whatever is answered, with a clock that is moved by hand. */
const keep = () => {
  const state = { now: wednesday, answer: E.right('1') as E.Either<SourceFailure, string>, asked: 0, observedAhead: 0 }
  const told: Array<string | null> = []
  const document: RateDocument = {
    ...{ source: observed('XLM/USD', '1').source, name: 'a', url: 'https://a.example', ttlMs: 30 * secondMs },
    covers: () => true,
    read: (rate) => E.right([observed('XLM/USD', String(rate), 'a', unixMs(state.now + state.observedAhead))]),
  }
  const fetch = () => async () => {
    state.asked += 1
    return state.answer
  }
  const observe = keptDocument(
    document,
    { fetch },
    () => state.now,
    (failure) => told.push(failure?._tag ?? null),
  )
  const rates = async () => (await observe()).map(({ rate }) => rate)
  const wait = (ms: number) => {
    state.now = unixMs(state.now + ms)
  }
  return { state, told, rates, wait }
}

describe('a kept document', () => {
  it('is fetched once for concurrent readers', async () => {
    const { state, rates } = keep()
    expect(await Promise.all([rates(), rates(), rates()])).toEqual([['1'], ['1'], ['1']])
    expect(state.asked).toBe(1)
  })
  it('is fetched again only after its time to live', async () => {
    const { state, rates, wait } = keep()
    await rates()
    state.answer = E.right('2')
    wait(30 * secondMs - 1)
    expect([await rates(), state.asked]).toEqual([['1'], 1])
    wait(1)
    expect([await rates(), state.asked]).toEqual([['2'], 2])
  })
  it('is fetched again when the clock was set back', async () => {
    const { state, rates, wait } = keep()
    await rates()
    wait(-1)
    await rates()
    expect(state.asked).toBe(2)
  })
  it('keeps its last observations with their times while it is unavailable', async () => {
    const { state, rates, wait, told } = keep()
    await rates()
    state.answer = E.left(refused)
    wait(31 * secondMs)
    expect(await rates()).toEqual(['1'])
    expect(told).toEqual([null, 'Refused'])
  })
  it('has no observations while it was never available', async () => {
    const { state, rates } = keep()
    state.answer = E.left(refused)
    expect(await rates()).toEqual([])
  })
  it('rests for half a minute after three failures in a row, then is fetched once', async () => {
    const { state, rates, wait } = keep()
    state.answer = E.left(refused)
    for (let n = 0; n < 10; n++) await rates()
    expect(state.asked).toBe(3)
    wait(30 * secondMs - 1)
    await rates()
    expect(state.asked).toBe(3)
    wait(1)
    await Promise.all([rates(), rates()])
    await rates()
    expect(state.asked).toBe(4)
    wait(30 * secondMs)
    state.answer = E.right('2')
    expect([await rates(), state.asked]).toEqual([['2'], 5])
    state.answer = E.left(refused)
    wait(30 * secondMs)
    for (let n = 0; n < 5; n++) await rates()
    expect(state.asked).toBe(8)
  })
  it('is unreadable when it names a time in the future', async () => {
    const { state, rates, told } = keep()
    state.observedAhead = 5 * minuteMs + 1
    expect([await rates(), told]).toEqual([[], ['Unreadable']])
    state.observedAhead = 5 * minuteMs
    expect([await rates(), told]).toEqual([['1'], ['Unreadable', null]])
  })
})
