import fc from 'fast-check'
import { expectBelieved, lifeOfActs } from './testing/believed.ts'

describe('what was known at a moment', () => {
  it('is what was answered then, over many long lives', async () => {
    await fc.assert(fc.asyncProperty(lifeOfActs(30, 50), expectBelieved), { numRuns: 12, seed: 20_261_129 })
  })
})
