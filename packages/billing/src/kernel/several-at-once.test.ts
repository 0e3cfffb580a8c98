import { setImmediate as nextTurn } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { severalAtOnce } from './several-at-once.ts'

const numbers = [1, 2, 3, 4, 5, 6, 7, 8]

describe('working on several things at once', () => {
  it('works on each once, and on no more at once than allowed', async () => {
    const met: Array<number> = []
    let underWay = 0
    let most = 0
    const done = await severalAtOnce(numbers, 3, async (each) => {
      most = Math.max(most, ++underWay)
      await nextTurn()
      met.push(each)
      underWay--
      return E.right(undefined)
    })
    expect(done).toEqual(E.right(undefined))
    expect([...met].sort()).toEqual(numbers)
    expect(most).toBe(3)
  })

  it('begins nothing new after a failure, and ends the work under way', async () => {
    const ended: Array<number> = []
    const done = await severalAtOnce(numbers, 2, async (each) => {
      await nextTurn()
      ended.push(each)
      return each === 3 ? E.left('no') : E.right(undefined)
    })
    expect(done).toEqual(E.left('no'))
    expect(ended).toEqual([1, 2, 3, 4])
  })

  it('asks for the next thing once the work on the one before has begun', async () => {
    let left = 3
    const things = async function* () {
      for (const each of numbers) {
        if (left === 0) return
        yield each
      }
    }
    const met: Array<number> = []
    await severalAtOnce(things(), 4, async (each) => {
      left -= 1
      await nextTurn()
      met.push(each)
      return E.right(undefined)
    })
    expect(met).toEqual([1, 2, 3])
  })

  it('throws a defect only once no work is under way', async () => {
    let ended = 0
    const done = severalAtOnce(numbers, 2, async (each) => {
      if (each === 1) throw new Error('a defect')
      await nextTurn()
      ended++
      return E.right(undefined)
    })
    await expect(done).rejects.toThrow('a defect')
    expect(ended).toBe(numbers.length - 1)
  })
})
