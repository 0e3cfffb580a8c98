import * as E from 'fp-ts/lib/Either.js'
import type { KeptClock } from './clock.ts'
import type { AdvanceRequest, ClockReading, TargetInThePast } from './sandbox-api.ts'

/** What moving the clock needs of the sandbox. */
export type AdvanceParts = {
  readonly clock: KeptClock
  readonly close: () => void
  readonly reading: () => ClockReading
  readonly isAnythingQueued: () => boolean
}

const secondMs = 1_000

/**
 * Settle; then until the target: clock to the earlier of next due and target, close a ledger, settle. Each turn closes
 * a ledger, so the clock gains a second at the least even when what is due lies behind it: it ends in any case.
 */
export const advanceClock = async (
  { clock, close, reading, isAnythingQueued }: AdvanceParts,
  request: AdvanceRequest,
): Promise<E.Either<TargetInThePast, ClockReading>> => {
  const start = clock.now()
  const target = Math.ceil('to' in request ? request.to : start + request.seconds * secondMs)
  if (target < start) return E.left({ _tag: 'TargetInThePast', now: start })

  const settle = async (): Promise<void> => {
    await request.settle()
    while (isAnythingQueued()) {
      clock.moveTo(clock.now() + secondMs)
      close()
      await request.settle()
    }
  }

  await settle()
  while (clock.now() < target) {
    const due = await request.nextDue()
    clock.moveTo(Math.min(due ?? target, target))
    close()
    await settle()
  }
  return E.right(reading())
}
