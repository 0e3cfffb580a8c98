import { setImmediate as nextTurn } from 'node:timers/promises'
import { atMost } from './at-most.ts'

describe('work of which at most so much runs at once', () => {
  it('begins in order, and goes on after one that throws', async () => {
    const limited = atMost(2)
    const began: Array<number> = []
    let [underWay, most] = [0, 0]
    const work = (number: number) =>
      limited(async () => {
        began.push(number)
        most = Math.max(most, ++underWay)
        await nextTurn()
        underWay -= 1
        if (number === 1) throw new Error('a test')
        return number
      })
    const ended = await Promise.allSettled([0, 1, 2, 3, 4].map(work))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
    expect({ began, most }).toEqual({ began: [0, 1, 2, 3, 4], most: 2 })
  })
})
