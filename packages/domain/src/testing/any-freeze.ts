import fc from 'fast-check'
import type { FreezeCommand, FreezeDecision, FreezeEvent, FreezeScope } from '../freeze/index.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'

const anyDecision: fc.Arbitrary<FreezeDecision> = some.recordWith(
  {
    scope: fc.constantFrom<FreezeScope>('sales', 'charges', 'payouts', 'everything'),
    by: some.anyText,
    reason: some.anyText,
    at: some.anyTime,
  },
  { merchantId: some.anyText },
)

const anyClosing = some.record({
  merchantId: some.anyText,
  refundsUntil: some.anyTime,
  by: some.anyText,
  reason: some.anyText,
  at: some.anyTime,
})

const freezeEvents: ByType<FreezeEvent> = {
  Frozen: event('Frozen', anyDecision),
  Unfrozen: event('Unfrozen', anyDecision),
  MerchantClosingBegun: event('MerchantClosingBegun', anyClosing),
}
export const anyFreezeEvent: fc.Arbitrary<FreezeEvent> = fc.oneof(...Object.values(freezeEvents))

export const anyFreezeCommand: fc.Arbitrary<FreezeCommand> = fc.oneof(
  fc
    .tuple(fc.constantFrom('Freeze' as const, 'Unfreeze' as const), anyDecision)
    .map(([type, decision]) => ({ type, ...decision })),
  anyClosing.map((closing) => ({ type: 'BeginClosing' as const, ...closing })),
)
