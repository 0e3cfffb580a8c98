import * as E from 'fp-ts/lib/Either.js'
import type { WritableClock } from './clock.ts'
import type { AdvanceRequest, ClockReading, TargetInThePast } from './sandbox-api.ts'

export type AdvanceParts = {
  readonly clock: WritableClock
  readonly close: () => void
  readonly reading: () => ClockReading
  readonly isAnythingQueued: () => boolean
}

const secondMs = 1_000

/**
 * Settles, then repeats until the target: moves the clock to the earlier of the next due time and the target, closes a
 * ledger, settles. Every turn closes a ledger and so gains at least a second, even where a due time lies in the past:
 * the loop always ends.
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
