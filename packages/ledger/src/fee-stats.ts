import { type LedgerSequence, type Stroops, stroops } from '@quittance/domain'

/** The least that the network charges for one operation, in stroops. */
export const BASE_FEE: Stroops = stroops(100n)

/**
 * What transactions of the last ledgers were charged for one operation, in stroops: the price at which ledgers filled
 * up, not what was offered. The base fee where there were none.
 */
export type FeeDistribution = Readonly<
  Record<
    'min' | 'mode' | 'p10' | 'p20' | 'p30' | 'p40' | 'p50' | 'p60' | 'p70' | 'p80' | 'p90' | 'p95' | 'p99' | 'max',
    Stroops
  >
>

/** Fees as one node tells them, as of its newest ledger: nothing proves them, so that whoever pays sets a cap. */
export type FeeStats = {
  readonly classic: FeeDistribution
  readonly contract: FeeDistribution
  readonly asOf: LedgerSequence
}

/** No node tells what fees are: pay the base fee, or wait. `cause` is for the log. */
export type FeeStatsUnavailable = { readonly _tag: 'FeeStatsUnavailable'; readonly cause: string }
