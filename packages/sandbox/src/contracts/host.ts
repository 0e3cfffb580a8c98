import type { xdr } from '@stellar/stellar-sdk'
import type { Authorization } from './auth/authorization.ts'
import type { EventLog } from './event-log.ts'
import type { Footprint } from './footprint.ts'
import type { Journal } from './journal.ts'
import type { Meter } from './meter.ts'
import type { Storage } from './storage.ts'

/** A running call. */
export type Frame = {
  readonly contract: xdr.ContractId
  readonly name: string
  readonly args: ReadonlyArray<xdr.ScVal>
  readonly executable: xdr.ContractExecutable
  readonly instance: InstanceStorage
}

/** The values stored with a contract's instance: read on first use, written when its frame ends, if changed. */
export interface InstanceStorage {
  readonly find: (key: xdr.ScVal) => xdr.ScVal | undefined
  readonly put: (key: xdr.ScVal, value: xdr.ScVal) => void
  readonly save: () => void
}

/** The state that all frames of one invocation share. */
export type Host = {
  readonly ledger: { readonly sequence: number; readonly closeTime: bigint }
  readonly networkId: Uint8Array
  readonly executables: ReadonlySet<string>
  readonly storage: Storage
  readonly journal: Journal
  readonly log: EventLog
  readonly meter: Meter
  readonly authorization: Authorization
  readonly footprint: Footprint
  readonly frames: Frame[]
  /** Calls a contract in its own frame, which leaves no trace when it fails. */
  readonly call: (contract: xdr.ContractId, name: string, args: ReadonlyArray<xdr.ScVal>) => xdr.ScVal
}
