import fc from 'fast-check'
import type { HoldAction, ScreeningCommand, ScreeningEvent } from '../screening/index.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'

const anyHold = some.record({
  subject: some.anyText,
  merchantId: some.anyText,
  environment: some.anyEnvironment,
  address: some.anyText,
  at: some.anyTime,
})

const anyDecision = some.record({
  subject: some.anyText,
  action: fc.constantFrom<HoldAction>('accept', 'return', 'keep'),
  by: some.anyText,
  reason: some.anyText,
  at: some.anyTime,
})

const screeningEvents: ByType<ScreeningEvent> = {
  MoneyHeld: event('MoneyHeld', anyHold),
  HoldDecided: event('HoldDecided', anyDecision),
}
export const anyScreeningEvent: fc.Arbitrary<ScreeningEvent> = fc.oneof(...Object.values(screeningEvents))

export const anyScreeningCommand: fc.Arbitrary<ScreeningCommand> = fc.oneof(
  anyHold.map((hold) => ({ type: 'HoldMoney' as const, ...hold })),
  anyDecision.map((decision) => ({ type: 'DecideHold' as const, ...decision })),
)
