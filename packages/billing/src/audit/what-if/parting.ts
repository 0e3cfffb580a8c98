import { type Policy, type SubscriptionCommand, withoutRate } from '@quittance/domain'
import { asksFor } from './asks.ts'
import type { Simulation } from './simulation.ts'
import type { TracedAct } from './traced.ts'

/** Whether a policy asks for something else than what the clock has done. */
export const partsAt = (
  { state }: Simulation,
  { command, role, at, policy: before }: TracedAct,
  policy: Policy,
): boolean => {
  if (state === null || role !== 'clock') return false
  if (!asksFor(state, command, at, policy)) return true
  if (!isAboutRates(command)) return false
  const mayBeAgreed = (by: Policy): boolean => withoutRate(state, by, at, 'no_rate').mayBeAgreed
  return mayBeAgreed(before) !== mayBeAgreed(policy)
}

/** Whether a command is what a policy made of a charge that had no rate, or may have had none. */
export const isAboutRates = (command: SubscriptionCommand): boolean =>
  command.type === 'DelayCharge' ||
  command.type === 'EndUnsettled' ||
  (command.type === 'AttemptCharge' && command.agreedRates !== undefined)
