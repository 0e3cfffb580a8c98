import type { Cents } from '../shared/cents.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { LimitScope, LimitSetter, Outflow, RequestedOutflow } from './events.ts'

/** `acceptedAt`: when a person last accepted a restored log, which may have lost that a raise was taken back. */
type Known = { readonly acceptedAt: UnixMs | null }

export type SetLimit = {
  readonly type: 'SetLimit'
  readonly setter: LimitSetter
  readonly scope: LimitScope
  readonly amount: Cents | null
  readonly at: UnixMs
  readonly by: Text
} & Known

/** `mayWait`: false for what the operator requests, which is counted and goes. */
export type AdmitOutflow = { readonly type: 'AdmitOutflow'; readonly mayWait: boolean } & RequestedOutflow & Known

/** What the ledger shows to have gone out. */
export type CountOutflow = { readonly type: 'CountOutflow' } & Outflow & Known

/** What may be asked of a merchant's limits. */
export type LimitsCommand = SetLimit | AdmitOutflow | CountOutflow
