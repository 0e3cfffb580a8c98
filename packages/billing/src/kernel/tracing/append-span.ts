import { context, type Link, SpanKind, trace } from '@opentelemetry/api'
import type { NewEvent, RecordedEvent } from '@quittance/domain'
import type { Appended, AppendFailure } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { failSpan, isTracing, tracer } from './spans.ts'
import { appendSpanIdOf, appendSpanOf, choosingSpanId, traceIdOf } from './trace-ids.ts'

/** What a trace tells of an append: no id of a stream, which a payer's link may hold, and nothing of the events' data. */
type Told = {
  readonly stream: string
  readonly events: ReadonlyArray<NewEvent>
  /** The first event of the stream, which tells the trace that it began in. */
  readonly begin: RecordedEvent | undefined
}

const nowMs = (): number => performance.timeOrigin + performance.now()

/**
 * Measures an append. The span of a successful one gets the id that readers of its events derive; any other gets a random
 * id, since the same command may try again.
 */
export const traceAppend = async (
  { stream, events, begin }: Told,
  append: () => Promise<E.Either<AppendFailure, Appended>>,
): Promise<E.Either<AppendFailure, Appended>> => {
  if (!isTracing()) return append()
  const startTime = nowMs()
  const appended = await append()
  const [first] = events
  if (first === undefined) return appended
  const category = stream.slice(0, stream.indexOf('-'))
  const { commandId, correlationId, environment } = first.context
  const attributes = {
    'quittance.environment': environment,
    'quittance.stream.category': category,
    'quittance.event.types': events.map(({ type }) => type),
    'quittance.event.count': events.length,
    'quittance.command.id': commandId,
  }
  const options = { kind: SpanKind.CLIENT, startTime, attributes, links: originOf(begin, correlationId) }
  const active = context.active()
  const isFound = E.isRight(appended) && trace.getSpan(active)?.spanContext().traceId === traceIdOf(correlationId)
  const within = isFound ? choosingSpanId(active, appendSpanIdOf(commandId, stream)) : active
  const span = context.with(within, () => tracer().startSpan(`append ${category}`, options, active))
  if (E.isRight(appended)) span.setAttribute('quittance.log.position', appended.right.position.toString())
  else failSpan(span, appended.left._tag)
  span.end()
  return appended
}

/** The append that began the stream, unless it was of the same trace. */
const originOf = (begin: RecordedEvent | undefined, correlationId: string): Array<Link> =>
  begin === undefined || begin.metadata.correlationId === correlationId ? [] : [{ context: appendSpanOf(begin) }]
