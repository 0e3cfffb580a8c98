import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { inBatches } from './in-batches.ts'

/** The numbers from 0 on, with a turn of the event loop before each of those named. */
async function* numbers(count: number, turnsBefore: ReadonlySet<number>, failure?: Error) {
  for (let n = 0; n < count; n++) {
    if (turnsBefore.has(n)) await nextTurn()
    yield n
  }
  if (failure !== undefined) throw failure
}

const collected = async <A>(batches: AsyncIterable<ReadonlyArray<A>>) => {
  const found: Array<ReadonlyArray<A>> = []
  let failure: unknown = null
  try {
    for await (const batch of batches) found.push(batch)
  } catch (cause) {
    failure = cause
  }
  return { found, failure }
}

describe('batches of what has arrived', () => {
  it('hold everything once and in order, none is empty, and none is too large', async () => {
    const anyTurns = fc.uniqueArray(fc.nat({ max: 40 })).map((turns) => new Set(turns))
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 40 }), fc.integer({ min: 1, max: 9 }), anyTurns, async (count, most, turns) => {
        const { found, failure } = await collected(inBatches(numbers(count, turns), most))
        expect(failure).toBeNull()
        expect(found.flat()).toEqual(Array.from({ length: count }, (_, n) => n))
        expect(found.every(({ length }) => length > 0 && length <= most)).toBe(true)
      }),
      { seed: 20_261_101 },
    )
  })

  it('are as large as they may be when everything is there', async () => {
    const { found } = await collected(inBatches(numbers(7, new Set()), 3))
    expect(found).toEqual([[0, 1, 2], [3, 4, 5], [6]])
  })

  it('are followed by the failure of their source', async () => {
    const failure = new Error('the end')
    expect(await collected(inBatches(numbers(4, new Set([2]), failure), 3))).toEqual({
      found: [
        [0, 1],
        [2, 3],
      ],
      failure,
    })
  })
})
