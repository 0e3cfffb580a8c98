import type { RecordedEvent } from '@quittance/domain'
import { sealEvent } from './chain.ts'
import { noEvents } from './port.ts'

/** Why an event does not follow its predecessor in its stream (null: it is the first); null where it does. */
export const brokenRecord = (event: RecordedEvent, before: RecordedEvent | null): string | null => {
  const head = before === null ? noEvents : { revision: before.revision, hash: before.metadata.hash }
  const { previousHash, hash, ...context } = event.metadata
  if (event.revision !== head.revision + 1n || previousHash !== head.hash) return 'does not follow the event before it'
  return sealEvent(head, event.stream, { ...event, context }).hash === hash
    ? null
    : 'its hash does not match its content'
}
