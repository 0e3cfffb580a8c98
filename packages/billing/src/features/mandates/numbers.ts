import { type Cycle, count, indexAt, Stroops, secondMs, type UnixMs, unixMs } from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'

/** The average time between ledgers. */
const ledgerMs = 5.6 * secondMs

/** When a ledger is expected to close, in whole seconds. */
export const expectedClose = (ledger: number, { sequence, closedAt }: LedgerHead): UnixMs =>
  unixMs(closedAt + Math.floor((Math.max(0, ledger - sequence) * ledgerMs) / secondMs) * secondMs)

/** The most that may be collected for one period, by the current quote: the rate may move until the next period. */
export const capOf = (quoted: Stroops, pegged: boolean): bigint => (pegged ? (quoted * 11n + 9n) / 10n : quoted * 2n)

/**
 * The allowance to request: the current one, on which other mandates rely, plus the cap of every period that begins
 * before `end`, including the first. Null if it exceeds what any token could move.
 */
export const allowanceOf = (
  current: bigint,
  cap: bigint,
  firstPeriodAt: UnixMs,
  cycle: Cycle,
  end: UnixMs,
): Stroops | null => {
  const last = end > firstPeriodAt ? indexAt({ at: firstPeriodAt, n: count(0) }, cycle, unixMs(end - 1)) : 0
  const allowance = current + cap * BigInt(last + 1)
  return Stroops.is(allowance) ? allowance : null
}
