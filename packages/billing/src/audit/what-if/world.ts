import type { Policy, Stopped, UnixMs } from '@quittance/domain'
import type { OtherRules } from './other-rules.ts'

/** What a replay goes by. Times from `from` on and before `to` are lived by the changed policy. */
export type World = {
  readonly policyAt: (at: UnixMs) => Policy
  readonly changed: (policy: Policy) => Policy
  /** What else is different; `notOtherwise` for nothing. */
  readonly rules: OtherRules
  readonly stoppedAt: (at: UnixMs) => Stopped
  readonly from: UnixMs
  readonly to: UnixMs
  /** A recorded step within so much after a step of the simulation is the same step: the worker was that late. */
  readonly latenessMs: number
  /** Has the simulation live by its own clock from `from` on even where nothing differs from the record. */
  readonly isByClock: boolean
}
