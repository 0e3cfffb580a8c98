import * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { Cents } from '../shared/cents.ts'
import { fact, facts } from '../shared/fact.ts'
import { ApiKeyId } from '../shared/ids.ts'
import { strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/** Whose requests a limit bounds: those of all together, of each key apart, or of one key. */
export const LimitScope = t.union([t.keyof({ merchant: null, each_key: null }), ApiKeyId], 'LimitScope')
export type LimitScope = t.TypeOf<typeof LimitScope>

/** The limits of the operator and those of the merchant stand beside each other: the lowest counts. */
export const LimitSetter = t.keyof({ operator: null, merchant: null }, 'LimitSetter')
export type LimitSetter = t.TypeOf<typeof LimitSetter>

/**
 * How many hundredths of a US dollar may go out within 24 hours without an approval; null for no limit. A raise counts from
 * `effectiveAt` on, and `before` until then.
 */
export const Limit = strict(
  {
    setter: LimitSetter,
    scope: LimitScope,
    amount: orNull(Cents),
    before: orNull(Cents),
    setAt: UnixMs,
    effectiveAt: UnixMs,
    by: Text,
  },
  'Limit',
)
export type Limit = t.TypeOf<typeof Limit>

/**
 * What went out, or may go out, without an approval. `requester` is null if the log does not know it: it counts for all.
 * `value` is null if nobody knew a rate.
 */
export const Outflow = strict({ subject: Text, requester: orNull(Text), value: orNull(Cents), at: UnixMs }, 'Outflow')
export type Outflow = t.TypeOf<typeof Outflow>

const RequestedOutflow = strict(
  { subject: Text, requester: Text, value: orNull(Cents), at: UnixMs },
  'RequestedOutflow',
)
export type RequestedOutflow = t.TypeOf<typeof RequestedOutflow>

export const ApprovalCause = t.keyof({ merchant_limit: null, key_limit: null, value_unknown: null }, 'ApprovalCause')
export type ApprovalCause = t.TypeOf<typeof ApprovalCause>

/** What happens to a merchant's limits, as its stream holds it. */
export const LimitsEvent = facts([
  fact('LimitSet', Limit),
  fact('OutflowCounted', Outflow),
  // It waits for a second person, and counts nothing.
  fact('ApprovalNeeded', strict({ outflow: RequestedOutflow, cause: ApprovalCause })),
])
export type LimitsEvent = t.TypeOf<typeof LimitsEvent>
