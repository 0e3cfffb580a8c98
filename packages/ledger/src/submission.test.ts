import { unixMs } from '@quittance/domain'
import { isProvenDead, type LedgerRange, type TransactionLookUp } from './submission.ts'
import { sequence } from './testing/ledgers.ts'

const sent = { maxTime: unixMs(60_000), firstSentAt: unixMs(10_000), highestLedgerSeen: sequence(20) }
const range: LedgerRange = {
  oldest: sequence(1),
  oldestClosedAt: unixMs(10_000),
  latest: sequence(20),
  latestClosedAt: unixMs(60_001),
}

describe('a transaction is proven dead', () => {
  it.each<[string, boolean, Partial<LedgerRange>]>([
    ['when a ledger closed after its time without it', true, {}],
    ['not while its last second has not passed', false, { latestClosedAt: unixMs(60_000) }],
    ['by a node that holds all ledgers since before the first send', true, { oldestClosedAt: unixMs(9_000) }],
    ['not by a node that pruned ledgers since the first send', false, { oldestClosedAt: unixMs(10_001) }],
    ['by a node past the highest ledger seen', true, { latest: sequence(21) }],
    ['not by a node behind the highest ledger seen', false, { latest: sequence(19) }],
  ])('%s: %p', (_, isDead, changed) =>
    expect(isProvenDead({ _tag: 'NotFound', range: { ...range, ...changed } }, sent)).toBe(isDead),
  )
  it.each<TransactionLookUp>([
    { _tag: 'Succeeded', ledger: sequence(5), closedAt: unixMs(20_000) },
    { _tag: 'Failed', ledger: sequence(5), closedAt: unixMs(20_000), code: 'txFailed', operationCodes: [] },
  ])('never when a ledger holds it ($_tag)', (lookUp) => expect(isProvenDead(lookUp, sent)).toBe(false))
})
