import type { ContractId } from '@quittance/domain'
import type { ContractCreation, EntryLife, LedgerHead } from '@quittance/ledger'

/**
 * What a process knows of the contracts of an environment, from when it last read them: behind which ledger, and the lives of their
 * entries as of a ledger.
 */
export type ContractRent = {
  readAt: LedgerHead | null
  lives: ReadonlyMap<ContractId, ContractLife>
}

/**
 * A contract that the ledger does not hold has no entries. `creation`: the step that it needs to be made there, if it is the one that
 * the operator account makes of the code of this version.
 */
export type ContractLife = {
  readonly asOf: number
  readonly entries: ReadonlyArray<EntryLife>
  readonly creation: ContractCreation | null
}

export const openContractRent = (): ContractRent => ({ readAt: null, lives: new Map() })
