import { Customer, type RecordedEvent } from '@quittance/domain'
import type { Collected } from './collect.ts'
import type { WithheldReason } from './format.ts'
import { categoryOf, streamsNamedIn } from './stream-names.ts'

/** Events that say which person of the operator has decided, and why. */
const decisions: ReadonlySet<string> = new Set(['AttemptsAllowed', 'TransactionDecided'])

const isSecretRetry = ({ data: { retryAt, retryOffsetMs } }: RecordedEvent, now: number): boolean =>
  typeof retryAt === 'number' && typeof retryOffsetMs === 'number' && retryAt + retryOffsetMs > now

/** Why an event of a collected stream is not shown; null where it is. `now` is Unix milliseconds. */
export const reasonToWithhold = (
  event: RecordedEvent,
  { streams, foreign }: Collected,
  now: number,
): WithheldReason | null => {
  // It holds a look-up hash that another customer has from then on.
  const namesAnother =
    event.type === 'EmailForfeited' ||
    streamsNamedIn(event).some(
      (stream) => foreign.has(stream) || (categoryOf(stream) === Customer.category && !streams.has(stream)),
    )
  if (namesAnother) return 'names_another_customer'
  if (isSecretRetry(event, now)) return 'retry_is_secret'
  return decisions.has(event.type) ? 'names_an_operator' : null
}
