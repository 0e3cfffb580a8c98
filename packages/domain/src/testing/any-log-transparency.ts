import fc from 'fast-check'
import type { LogTransparencyEvent } from '../log-transparency/index.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'

const logTransparencyEvents: ByType<LogTransparencyEvent> = {
  TransparencyLogBegun: event(
    'TransparencyLogBegun',
    some.record({
      origin: some.anyText,
      vkey: some.anyText,
      begunAt: some.anyTime,
      reason: some.orNothing(some.anyText),
    }),
  ),
  TransparencyKeyRotated: event(
    'TransparencyKeyRotated',
    some.record({ vkey: some.anyText, rotatedAt: some.anyTime, reason: some.anyText }),
  ),
}
export const anyLogTransparencyEvent: fc.Arbitrary<LogTransparencyEvent> = fc.oneof(
  ...Object.values(logTransparencyEvents),
)
