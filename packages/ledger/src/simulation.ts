import type { LedgerSequence, Stroops } from '@quittance/domain'

/** The resources that a simulated contract call needs: entries and bytes. */
export type CallResources = {
  readonly instructions: number
  readonly footprintEntries: number
  readonly writtenEntries: number
  readonly diskReadEntries: number
  readonly diskReadBytes: number
  readonly writtenBytes: number
  readonly eventBytes: number
}

/**
 * The host's error where no contract gave one, by the network's names, such as `Budget` and `ExceededLimit`; `Unknown`
 * where the node returned something else.
 */
export type HostError = { readonly type: string; readonly code: string }

/**
 * One node's simulation of a contract call in the ledger after `asOf`: a forecast, no proof.
 * `transactionData`, `auth` and `returnValue` are base64 XDR (`SorobanTransactionData`, `SorobanAuthorizationEntry`,
 * `ScVal`). `minResourceFee` is in stroops. `restoredEntries`: how many archived entries the call restores.
 * `contractError` is the number that a contract gave, null where it gave none. `cause` is for the log.
 */
export type Simulation =
  | {
      readonly _tag: 'Simulated'
      readonly asOf: LedgerSequence
      readonly transactionData: string
      readonly minResourceFee: Stroops
      readonly auth: ReadonlyArray<string>
      readonly returnValue: string | null
      readonly restoredEntries: number
      readonly resources: CallResources
    }
  | {
      readonly _tag: 'SimulationFailed'
      readonly asOf: LedgerSequence
      readonly contractError: number | null
      readonly hostError: HostError
      readonly cause: string
    }

/** What declared resources cost, in stroops. */
export type CallRates = {
  readonly per10kInstructions: bigint
  readonly perDiskRead1Kb: bigint
  readonly perWrite1Kb: bigint
}

/** The most that one transaction with a contract call may need. Source: the network's config settings. */
export type CallLimits = CallResources & {
  readonly transactionBytes: number
  readonly maxEntryTtl: number
  readonly rates: CallRates
}
