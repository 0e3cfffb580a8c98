import {
  amountAt,
  type Cents,
  cents,
  countsFrom,
  decimalFromCents,
  type Limit,
  type LimitsState,
  maximumCents,
  recent,
  sumOf,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { timestamp, timestampOrNull } from './fields.ts'

/** The limits of a merchant in an environment as the interface shows them, and what they leave at a moment. */
export const limitsResource = (
  { environment }: Pick<Scope, 'environment'>,
  { limits, counted }: LimitsState,
  at: UnixMs,
  acceptedAt: UnixMs | null,
) => {
  const used = sumOf(recent(counted, at))
  return {
    object: 'limits' as const,
    currency: 'USD' as const,
    limits: limits.map((limit) => limitResource(limit, at, acceptedAt)),
    used_24h: used === null ? null : decimalFromCents(cents(used < maximumCents ? used : maximumCents)),
    environment,
  }
}
/** A merchant's limits, as they are shown. */
export type LimitsResource = ReturnType<typeof limitsResource>

const limitResource = (limit: Limit, at: UnixMs, acceptedAt: UnixMs | null) => {
  const from = countsFrom(limit, acceptedAt)
  const isAhead = at < from
  return {
    scope: limit.scope,
    set_by: limit.setter,
    amount: dollars(amountAt(limit, at, acceptedAt)),
    next_amount: isAhead ? dollars(limit.amount) : null,
    next_from: timestampOrNull(isAhead ? unixMs(from) : null),
    changed_by: limit.by,
    changed_at: timestamp(limit.setAt),
  }
}

const dollars = (amount: Cents | null): string | null => (amount === null ? null : decimalFromCents(amount))
