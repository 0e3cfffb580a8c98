import { unixMs } from '@quittance/domain'
import { judgeJump, type LegMemory } from './jump.ts'
import { rational } from './rational.ts'

/** Judges (rate in cents, seconds) observations, one after the other, from a remembered rate of 100. */
const accepted = (...steps: ReadonlyArray<readonly [number, number]>): ReadonlyArray<boolean> => {
  let memory: LegMemory | undefined = { accepted: rational(100n), jump: null }
  return steps.map(([rate, seconds]) => {
    const judged = judgeJump(memory, {
      rate: rational(BigInt(rate * 100), 100n),
      observedAt: unixMs(seconds * 1000),
    })
    memory = judged.memory
    return judged.isAccepted
  })
}

describe('a rate that jumps', () => {
  it.each<[string, ReadonlyArray<readonly [number, number]>, ReadonlyArray<boolean>]>([
    ['by 10 % is accepted', [[110, 0]], [true]],
    ['by 10 % down is accepted', [[90, 0]], [true]],
    ['by more waits', [[110.01, 0]], [false]],
    ['by more waits downwards too', [[89.99, 0]], [false]],
    [
      'is accepted at the second later observation, a minute after the first',
      [
        [120, 0],
        [120, 1],
        [120, 61],
      ],
      [false, false, true],
    ],
    [
      'waits while the minute is not over',
      [
        [120, 0],
        [120, 1],
        [120, 60.999],
        [120, 61],
      ],
      [false, false, false, true],
    ],
    [
      'is not confirmed by the same observation again',
      [
        [120, 0],
        [120, 0],
        [120, 60],
        [120, 119],
      ],
      [false, false, false, false],
    ],
    [
      'is confirmed by rates within 2 % of it',
      [
        [120, 0],
        [122.4, 1],
        [117.6, 61],
      ],
      [false, false, true],
    ],
    [
      'starts its waiting anew when it moves on by more',
      [
        [120, 0],
        [122.41, 1],
        [122.41, 61],
        [122.41, 121],
      ],
      [false, false, false, true],
    ],
    [
      'is forgotten when the rate comes back',
      [
        [120, 0],
        [105, 1],
        [120, 61],
        [120, 62],
        [120, 122],
      ],
      [false, true, false, false, true],
    ],
    [
      'is measured from the last accepted rate',
      [
        [110, 0],
        [121, 1],
        [133, 2],
      ],
      [true, true, true],
    ],
  ])('%s', (_, steps, answers) => expect(accepted(...steps)).toEqual(answers))

  it('is accepted while nothing is remembered', () => {
    const first = judgeJump(undefined, { rate: rational(7n), observedAt: unixMs(0) })
    expect(first).toEqual({ memory: { accepted: rational(7n), jump: null }, isAccepted: true })
  })
})
