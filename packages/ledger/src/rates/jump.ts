import { minuteMs, type UnixMs } from '@quittance/domain'
import type { LegRate } from './leg.ts'
import { isFurtherThan, type Rational } from './rational.ts'

const JUMP_PERCENT = 10n
const AGREEMENT_PERCENT = 2n
const CONFIRMATION_GAP_MS = minuteMs

/**
 * What is remembered of a leg. `accepted` is its last accepted rate. `jump` is a rate more than 10 % away from it that
 * waits to be confirmed: first seen at `seenAt`, agreed with by a later observation at `confirmedAt`.
 */
export type LegMemory = {
  readonly accepted: Rational
  readonly jump: { readonly rate: Rational; readonly seenAt: UnixMs; readonly confirmedAt: UnixMs | null } | null
}

type Judgement = { readonly memory: LegMemory; readonly isAccepted: boolean }

/** What a leg was observed to be, at the time of its oldest observation. */
type Observed = Pick<LegRate, 'rate' | 'observedAt'>

const accepted = ({ rate }: Observed): Judgement => ({ memory: { accepted: rate, jump: null }, isAccepted: true })

/**
 * Whether a leg's rate may be used. A jump over 10 % from the last accepted rate waits until two later observations, at
 * least a minute apart, agree with it within 2 %; one that disagrees starts the waiting anew, and a rate back near the
 * accepted one ends it. With nothing remembered there is nothing to jump from.
 */
export const judgeJump = (remembered: LegMemory | undefined, observed: Observed): Judgement => {
  if (remembered === undefined || !isFurtherThan(JUMP_PERCENT, observed.rate, remembered.accepted))
    return accepted(observed)
  const { jump } = remembered
  const waiting = (next: LegMemory['jump']): Judgement => ({
    memory: { accepted: remembered.accepted, jump: next },
    isAccepted: false,
  })
  if (jump === null || isFurtherThan(AGREEMENT_PERCENT, observed.rate, jump.rate))
    return waiting({ rate: observed.rate, seenAt: observed.observedAt, confirmedAt: null })
  if (observed.observedAt <= jump.seenAt) return waiting(jump)
  if (jump.confirmedAt === null) return waiting({ ...jump, confirmedAt: observed.observedAt })
  if (observed.observedAt < jump.confirmedAt + CONFIRMATION_GAP_MS) return waiting(jump)
  return accepted(observed)
}
