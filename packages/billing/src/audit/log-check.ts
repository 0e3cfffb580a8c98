import type { RecordedEvent } from '@quittance/domain'
import type { EventStore, ReadsByStream } from '@quittance/event-store'

/** What is not as it must be. `stream` and `revision` are null where no event can be named. */
export type Finding = { readonly stream: string | null; readonly revision: bigint | null; readonly problem: string }

/** A log to be checked: a stream after the other where its store can read it so, else in its own order. */
export type LogToCheck = Pick<EventStore, 'readAll'> & Partial<ReadsByStream>

/** Looks at all events of a log, each stream in its order, and says at the end what is not as it must be. */
export interface LogCheck {
  readonly see: (event: RecordedEvent) => void | Promise<void>
  /** No event of this stream follows any more. Not called where the log is read in its own order. */
  readonly endStream?: (stream: string) => void
  readonly end: () => Promise<ReadonlyArray<Finding>>
}

/** Where an event is. */
export type Place = Pick<RecordedEvent, 'stream' | 'revision'>

/** At an event. */
export const findingAt = ({ stream, revision }: Place, problem: string): Finding => ({
  stream,
  revision,
  problem,
})

export const findingIn = (stream: string | null, problem: string): Finding => ({ stream, revision: null, problem })

/** Reads a log once for several checks. Rejects where it cannot be read. `onEvent` hears how many events were read. */
export const checkLog = async (
  log: LogToCheck,
  checks: ReadonlyArray<LogCheck>,
  onEvent: (events: number) => void = () => undefined,
): Promise<ReadonlyArray<Finding>> => {
  const { readByStream } = log
  let [events, stream] = [0, '']
  for await (const event of readByStream?.() ?? log.readAll(0n)) {
    onEvent(++events)
    if (readByStream !== undefined && event.stream !== stream) {
      for (const check of checks) check.endStream?.(stream)
      stream = event.stream
    }
    for (const check of checks) await check.see(event)
  }
  const found: Array<Finding> = []
  for (const check of checks) found.push(...(await check.end()))
  return found
}
