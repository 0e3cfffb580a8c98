import { Intent, LedgerTransaction, type RecordedEvent } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { fold } from '../../kernel/fold.ts'
import { type Anchor, anchorOf } from './anchor.ts'

const intents = `${Intent.category}-`
const transactions = `${LedgerTransaction.category}-`

/** Whether an event begins the stream of an anchor, or that of a transaction that carries one. */
const beginsAnchor = ({ type, stream, data }: RecordedEvent): boolean => {
  const isIntent = type === 'IntentRecorded' && stream.startsWith(intents)
  const isTransaction = type === 'TransactionPrepared' && stream.startsWith(transactions)
  return (
    (isIntent || isTransaction) &&
    typeof data === 'object' &&
    data !== null &&
    'class' in data &&
    data.class === 'anchor'
  )
}

/**
 * All anchors of a log, oldest first, by its events alone: works on a copy, without keys or read models.
 * Errors: rejects where the log cannot be read.
 */
export const anchorsInLog = async (log: Pick<EventStore, 'readAll'>): Promise<ReadonlyArray<Anchor>> => {
  const streams = new Map<string, Array<RecordedEvent>>()
  for await (const event of log.readAll(0n)) {
    const known = streams.get(event.stream)
    if (known !== undefined) known.push(event)
    else if (beginsAnchor(event)) streams.set(event.stream, [event])
  }
  const found: Array<Anchor> = []
  for (const [stream, events] of streams) {
    const [first] = events
    if (first === undefined || !stream.startsWith(intents)) continue
    const intent = fold(Intent, events)
    if (intent.status === 'absent') continue
    const carrier = fold(LedgerTransaction, streams.get(`${transactions}${intent.attachedTo}`) ?? [])
    found.push(anchorOf(first.metadata.environment, intent, carrier))
  }
  return found
}
