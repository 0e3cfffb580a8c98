import type { LedgerSequence } from '@quittance/domain'
import { type ClosedLedger, type LedgerGateway, PAYOUTS_AT_ONCE } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'

type LedgerCapacity = Pick<ClosedLedger, 'sequence' | 'maxTxSetSize'>

/** How many operations a ledger takes, by the newest ingested one. Kept in memory. */
export interface LedgerRoom {
  readonly ingested: (ledger: LedgerCapacity) => void
  /**
   * The most operations that a transaction of ours may hold, `asOf` the newest ingested ledger. If this process has not
   * seen that ledger, as after a start, it asks a node once; if no node answers, an earlier ledger counts.
   */
  readonly operations: (asOf: LedgerSequence) => Promise<number>
}

export const openLedgerRoom = (gateway: Pick<LedgerGateway, 'readLedgers'>): LedgerRoom => {
  let newest: LedgerCapacity | null = null
  const ingested = (ledger: LedgerCapacity) => {
    newest = { sequence: ledger.sequence, maxTxSetSize: ledger.maxTxSetSize }
  }
  return {
    ingested,
    operations: async (asOf) => {
      if (newest === null || newest.sequence < asOf) {
        const read = await gateway.readLedgers(asOf, 1, null)()
        if (E.isRight(read)) for (const ledger of read.right.ledgers) ingested(ledger)
      }
      return operationsAtOnce(newest?.maxTxSetSize ?? null)
    },
  }
}

/**
 * A transaction that is larger than a ledger never gets into one, whatever it bids, and a fee bump counts as one operation
 * more. Until the size of a ledger is known, each operation goes alone, which always fits.
 */
export const operationsAtOnce = (maxTxSetSize: number | null): number =>
  maxTxSetSize === null ? 1 : Math.max(1, Math.min(PAYOUTS_AT_ONCE, maxTxSetSize - 1))
