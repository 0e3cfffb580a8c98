import {
  type Count,
  minuteMs,
  nextStep,
  PaymentId,
  type Policy,
  type SubscriptionCommand,
  type SubscriptionRecord,
  stroops,
  type UnixMs,
} from '@quittance/domain'
import type { LaterEvent } from './find-event.ts'
import { simulatedId } from './simulated-id.ts'

type Of<Type extends LaterEvent['type']> = Extract<LaterEvent, { readonly type: Type }>['data']
type Delay = Extract<SubscriptionCommand, { readonly type: 'DelayCharge' }>

/** As the domain has it: a retry is made at most so much after its time, and at most a quarter of the wait. */
const latestMs = 30 * minuteMs

/** The jitter that moved a retry by a recorded offset. */
const jitterBehind = (retryOffsetMs: Count | undefined, retryAt: UnixMs | null, since: UnixMs): number =>
  retryOffsetMs === undefined || retryAt === null
    ? 0
    : (retryOffsetMs + 0.5) / Math.min(latestMs, (retryAt - since) / 4)

export const chargeFailure = (data: Of<'ChargeFailed'>, policy: Policy): SubscriptionCommand => {
  const { paymentId, cause, code, includedIn, failedAt: at, retryAt, retryOffsetMs } = data
  const jitter = jitterBehind(retryOffsetMs, retryAt, at)
  return { type: 'FailCharge', paymentId, cause, code, includedIn, at, policy, jitter }
}

export const delay = ({ n, cause, at, retryAt, retryOffsetMs }: Of<'ChargeDelayed'>): Delay => {
  const jitter = jitterBehind(retryOffsetMs, retryAt, at)
  return { type: 'DelayCharge', n, cause, at, jitter }
}

/** A delay that resuming did not wait for. */
export const delayAtResuming = (
  { nextN: n }: SubscriptionRecord,
  { cause, at }: Of<'ResumeFailed'>,
): ReadonlyArray<Delay> =>
  cause === 'no_rate' || cause === 'no_node' || cause === 'no_ledger' || cause === 'cause_stands'
    ? [{ type: 'DelayCharge', n, cause, at, jitter: 0 }]
    : []

/** The attempt that was one too many: its id and its amount stand nowhere. */
export const attemptTooMany = (
  state: SubscriptionRecord,
  at: UnixMs,
  policy: Policy,
): ReadonlyArray<SubscriptionCommand> => {
  const step = nextStep(state, at, policy)
  if (step._tag !== 'attempt_charge' && step._tag !== 'look_at_cause') return []
  const { n, k, period, why } = step.charge
  const paymentId = simulatedId(PaymentId, at, 1)
  const { price } = state.terms
  const attempt = { at, n, k, periodStart: period.start, why, paymentId, price, amount: stroops(0n), rates: [] }
  return [{ type: 'AttemptCharge', ...attempt }]
}
