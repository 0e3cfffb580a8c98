import type { RecordedEvent } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'

/** What is not as it must be. `stream` and `revision` are null where no event can be named. */
export type Finding = { readonly stream: string | null; readonly revision: bigint | null; readonly problem: string }

/** Looks at all events of a log, in its order, and says at its end what is not as it must be. */
export interface LogCheck {
  readonly see: (event: RecordedEvent) => void | Promise<void>
  readonly end: () => Promise<ReadonlyArray<Finding>>
}

/** At an event. */
export const findingAt = ({ stream, revision }: RecordedEvent, problem: string): Finding => ({
  stream,
  revision,
  problem,
})

export const findingIn = (stream: string | null, problem: string): Finding => ({ stream, revision: null, problem })

/** Reads a log once for several checks. Rejects where it cannot be read. `onEvent` hears of each event. */
export const checkLog = async (
  log: Pick<EventStore, 'readAll'>,
  checks: ReadonlyArray<LogCheck>,
  onEvent: (position: bigint) => void = () => undefined,
): Promise<ReadonlyArray<Finding>> => {
  for await (const event of log.readAll(0n)) {
    onEvent(event.position)
    for (const check of checks) await check.see(event)
  }
  const found: Array<Finding> = []
  for (const check of checks) found.push(...(await check.end()))
  return found
}
