import type { RecordedEvent } from '@quittance/domain'

/** The read models were made from another log than the one they are now beside. */
export class OtherLog extends Error {
  override readonly name = 'OtherLog'
  constructor() {
    super('the last event that the read models have applied is not in this event store')
  }
}

/** Thrown through an iteration of the log, whose failure is its cause. */
export class LogUnreadable extends Error {
  override readonly name = 'LogUnreadable'
  constructor(cause: unknown) {
    super('the event log cannot be read', { cause })
  }
}

/** The same events. Only a failure of the log itself becomes `LogUnreadable`; one of the consumer passes unchanged. */
export async function* readable(events: AsyncIterable<RecordedEvent>): AsyncGenerator<RecordedEvent, void> {
  try {
    yield* events
  } catch (cause) {
    throw new LogUnreadable(cause)
  }
}

/** A projection threw at an event, which is the cause. All read models stop there until a release can apply it. */
export class ProjectionDefect extends Error {
  override readonly name = 'ProjectionDefect'
  readonly model: string
  constructor(model: string, { stream, revision }: RecordedEvent, cause: unknown) {
    super(`the read model ${model} cannot apply event ${revision} of ${stream}`, { cause })
    this.model = model
  }
}
