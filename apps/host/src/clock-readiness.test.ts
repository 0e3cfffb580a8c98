import { LedgerSequence, secondMs, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { readinessOf } from './readiness.ts'

const closedAt = unixMs(Date.UTC(2026, 10, 21))
const head = { sequence: decoded(LedgerSequence, 1_000), closedAt }
const ledger = {
  gateway: { latestLedger: () => TE.right(head) },
  cursor: { load: () => TE.right({ ...head, hash: null }) },
  halted: async () => null,
  protocol: () => null,
}
const noLog = () => Promise.resolve(null)

it.each([
  ['a year ahead', 365 * 86_400],
  ['as late as the network closes ledgers', 5],
  ['an hour late', -3_600],
])('readiness shows how far ahead of the ledger a clock is: %s', async (_, seconds) => {
  const readiness = readinessOf(
    noLog,
    { testnet: ledger, mainnet: null },
    async () => ({}),
    () => unixMs(closedAt + seconds * secondMs),
  )
  expect((await readiness()).ledgers).toEqual({
    testnet: { walked: 1_000, latest: 1_000, lag: 0, clock_ahead: seconds, halted: null, protocol: null },
    mainnet: null,
  })
})
