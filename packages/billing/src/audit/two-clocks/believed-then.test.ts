import fc from 'fast-check'
import { expectBelieved, lifeOfActs } from './testing/believed.ts'

describe('what was known at a moment', () => {
  it('is what was answered then, whatever has been recorded since', async () => {
    await fc.assert(fc.asyncProperty(lifeOfActs(15, 25), expectBelieved), { numRuns: 2, seed: 20_261_128 })
  })
})
