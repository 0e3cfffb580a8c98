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

describe('a document that is kept', () => {
  it('is asked for once by all who want it at the same time', async () => {
    const { state, rates } = keep()
    expect(await Promise.all([rates(), rates(), rates()])).toEqual([['1'], ['1'], ['1']])
    expect(state.asked).toBe(1)
  })
  it('is asked for again once its time to live is over, not before', async () => {
    const { state, rates, wait } = keep()
    await rates()
    state.answer = E.right('2')
    wait(30 * secondMs - 1)
    expect([await rates(), state.asked]).toEqual([['1'], 1])
    wait(1)
    expect([await rates(), state.asked]).toEqual([['2'], 2])
  })
  it('is asked for again when the clock was set back', async () => {
    const { state, rates, wait } = keep()
    await rates()
    wait(-1)
    await rates()
    expect(state.asked).toBe(2)
  })
  it('gives what it said last, with the time of then, while it cannot be had', async () => {
    const { state, rates, wait, told } = keep()
    await rates()
    state.answer = E.left(refused)
    wait(31 * secondMs)
    expect(await rates()).toEqual(['1'])
    expect(told).toEqual([null, 'Refused'])
  })
  it('gives nothing when it never could be had', async () => {
    const { state, rates } = keep()
    state.answer = E.left(refused)
    expect(await rates()).toEqual([])
  })
  it('is left alone for half a minute after three failures in a row, then asked once', async () => {
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
  it('is not believed when it names a time that is yet to come', async () => {
    const { state, rates, told } = keep()
    state.observedAhead = 5 * minuteMs + 1
    expect([await rates(), told]).toEqual([[], ['Unreadable']])
    state.observedAhead = 5 * minuteMs
    expect([await rates(), told]).toEqual([['1'], ['Unreadable', null]])
  })
})
