import type { LedgerSequence } from '@quittance/domain'
import { type ClosedLedger, type LedgerGateway, PAYOUTS_AT_ONCE } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'

type Told = Pick<ClosedLedger, 'sequence' | 'maxTxSetSize'>

/** How many operations a ledger takes, as the newest one tells that was ingested. Kept by the process. */
export interface LedgerRoom {
  /** This ledger was ingested. */
  readonly ingested: (ledger: Told) => void
  /**
   * The most operations that a transaction of ours may hold, `asOf` the ledger that was ingested last. Where this process has
   * not seen that ledger, as after a start, a node is asked once; where none tells, what an earlier one told counts.
   */
  readonly operations: (asOf: LedgerSequence) => T.Task<number>
}

export const openLedgerRoom = (gateway: Pick<LedgerGateway, 'readLedgers'>): LedgerRoom => {
  let newest: Told | null = null
  const ingested = (ledger: Told) => {
    newest = { sequence: ledger.sequence, maxTxSetSize: ledger.maxTxSetSize }
  }
  return {
    ingested,
    operations: (asOf) => async () => {
      if (newest === null || newest.sequence < asOf) {
        const read = await gateway.readLedgers(asOf, 1, null)()
        if (E.isRight(read)) for (const ledger of read.right.ledgers) ingested(ledger)
      }
      return operationsAtOnce(newest?.maxTxSetSize ?? null)
    },
  }
}

/**
 * A transaction that is larger than a ledger is never in one, whatever it bids, and a fee bump counts as an operation
 * more. While nobody knows how large a ledger is, each operation goes alone: that always fits, and the next ledger tells.
 */
export const operationsAtOnce = (maxTxSetSize: number | null): number =>
  maxTxSetSize === null ? 1 : Math.max(1, Math.min(PAYOUTS_AT_ONCE, maxTxSetSize - 1))
