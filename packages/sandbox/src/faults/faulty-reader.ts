import type { FaultKnobs, LedgerReader } from '../sandbox-api.ts'
import { lagging, pruned } from './readers.ts'

/** The ledger as one request sees it: lagging, pruned, or during a fee surge. */
export const faultyReader = (read: LedgerReader, faults: FaultKnobs): LedgerReader => {
  const lag = faults.take('lag')
  const prune = faults.take('prune')
  const surge = faults.present().fee_surge
  const late = lag === undefined ? read : lagging(read, lag.ledgers)
  const short = prune === undefined ? late : pruned(late, prune.keep)
  if (surge === undefined) return short
  const { base_fee } = surge
  return {
    ...short,
    feesBetween: (kind, first, last) => {
      const fees = short.feesBetween(kind, first, last).map((fee) => Math.max(fee, base_fee))
      return fees.length === 0 ? [base_fee] : fees
    },
  }
}
