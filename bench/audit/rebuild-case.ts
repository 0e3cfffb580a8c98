import { sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { rebuild } from '@quittance/projections/rebuild'
import * as E from 'fp-ts/lib/Either.js'

/**
 * Rebuilds all read models of a log: `node bench/audit/rebuild-case.ts <file> make` makes them first, and ends; without `make`
 * it prints, as JSON, how long the rebuild takes, and the most memory that the process had.
 */
const [path = '', what = ''] = process.argv.slice(2)
if (what === 'make') sqliteEventStore({ path, clock: Date.now, projections: inlineProjections }).close()
else {
  const startedAt = performance.now()
  const made = await rebuild({ path, log: null, models: null, compareOnly: false, onProgress: () => undefined })()
  if (E.isLeft(made)) throw new Error(made.left._tag)
  const differing = made.right.reduce((sum, model) => sum + model.differing, 0)
  if (differing > 0) throw new Error(`${differing} rows differ from their log`)
  const applied = made.right.reduce((sum, model) => sum + model.events, 0)
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1_024)
  console.log(JSON.stringify({ seconds: (performance.now() - startedAt) / 1_000, applied, peakMb }))
}
