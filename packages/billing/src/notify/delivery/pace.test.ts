import fc from 'fast-check'
import { createPace, type Pace } from './pace.ts'

const begin = (pace: Pace, id: string, times: number): void => {
  for (let n = 0; n < times; n++) pace.began(id)
}

describe('the pace of attempts', () => {
  it('allows one attempt at a new endpoint', () => expect(createPace({ all: 100, slow: 50 }).room('a')).toBe(1))
  it('doubles the attempts after each prompt answer, up to sixteen', () => {
    const pace = createPace({ all: 100, slow: 50 })
    const rooms = Array.from({ length: 6 }, () => {
      pace.began('a')
      pace.ended('a', true)
      return pace.room('a')
    })
    expect(rooms).toEqual([2, 4, 8, 16, 16, 16])
  })
  it('resets to one attempt at an endpoint after a failure or a slow answer', () => {
    const pace = createPace({ all: 100, slow: 50 })
    for (const isPrompt of [true, true, false]) {
      pace.began('a')
      pace.ended('a', isPrompt)
    }
    expect(pace.room('a')).toBe(1)
  })
  it('bounds slow endpoints without delaying others', () => {
    const pace = createPace({ all: 10, slow: 2 })
    for (const id of ['a', 'b', 'c']) {
      pace.began(id)
      pace.ended(id, false)
    }
    begin(pace, 'a', 1)
    begin(pace, 'b', 1)
    expect([pace.waits('c'), pace.waits('new'), pace.room('new')]).toEqual([true, false, 1])
    pace.ended('a', false)
    expect(pace.waits('c')).toBe(false)
  })
  it('bounds the attempts at all endpoints together', () => {
    const pace = createPace({ all: 3, slow: 3 })
    for (const id of ['a', 'b', 'c']) begin(pace, id, 1)
    expect([pace.isFull(), pace.room('d')]).toEqual([true, 0])
    pace.undone('a')
    expect([pace.isFull(), pace.room('d')]).toEqual([false, 1])
  })

  it('keeps attempts within their bounds, and counts none once all have ended', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.boolean(), fc.boolean()), { maxLength: 300 }), (steps) => {
        const limits = { all: 8, slow: 4 }
        const pace = createPace(limits)
        const underWay: Array<string> = []
        for (const [n, isBeginning, isPrompt] of steps) {
          const id = `e${n}`
          if (isBeginning && !pace.waits(id) && pace.room(id) > 0) {
            pace.began(id)
            underWay.push(id)
          } else if (!isBeginning && underWay.length > 0)
            pace.ended(underWay.splice(n % underWay.length, 1)[0] ?? '', isPrompt)
          expect(underWay.length).toBeLessThanOrEqual(limits.all)
          expect(pace.isFull()).toBe(underWay.length === limits.all)
        }
        for (const id of underWay) pace.ended(id, true)
        expect([pace.isFull(), pace.waits('e0'), pace.room('nobody')]).toEqual([false, false, 1])
      }),
    ))
})
