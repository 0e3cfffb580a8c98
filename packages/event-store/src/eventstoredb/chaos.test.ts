import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectOneGaplessOrder } from '../conformance/sample.ts'
import { chaos } from './testing/chaos.ts'

describe('a server that is killed and started again while it is written and followed', () => {
  it('loses nothing, holds nothing twice, and shows all subscribers one gapless order', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'quittance-chaos-'))
    try {
      const events = 5_000
      const { answered, log, seen, deaths, metrics } = await chaos({
        directory,
        events,
        writers: 32,
        subscribers: 3,
        eventsPerDeath: 800,
        longestMs: 60_000,
      })
      expect(deaths).toBeGreaterThan(0)
      expect(answered.length).toBe(events)
      expect(log.map(({ id }) => id).toSorted()).toEqual(answered.toSorted())
      expectOneGaplessOrder(log)
      expect(seen).toEqual([log, log, log])
      expect(metrics.unknownOutcomes).toBeGreaterThan(0)
      expect(metrics.unknownResolvedAsWritten + metrics.unknownResolvedAsRefused).toBeGreaterThan(0)
      expect(metrics.subscriptionDrops).toBeGreaterThanOrEqual(3)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }, 120_000)
})
