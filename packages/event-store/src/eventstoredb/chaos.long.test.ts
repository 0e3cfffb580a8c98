import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chaos } from './testing/chaos.ts'
import { faultsOf, noFaults } from './testing/chaos-faults.ts'

describe('a server that is killed and started again while it is written and followed', () => {
  it('loses and repeats nothing, and gives all subscribers one gapless order', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'quittance-chaos-'))
    const seed = Date.now() % 2 ** 31
    try {
      const events = 3_000
      const outcome = await chaos({ directory, events, writers: 32, deaths: 4, seed, longestMs: 60_000 })
      const { answered, deaths, metrics } = outcome
      const found = { seed, answered: answered.length, deaths, appends: metrics.appends, faults: faultsOf(outcome) }
      expect(found).toEqual({ seed, answered: events, deaths: 4, appends: events, faults: noFaults })
      expect(metrics.unknownOutcomes).toBeGreaterThan(0)
      expect(metrics.subscriptionDrops).toBeGreaterThanOrEqual(2)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })
})
