import { createHash } from 'node:crypto'
import {
  type Context,
  createContextKey,
  isSpanContextValid,
  type SpanContext,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import type { RecordedEvent } from '@quittance/domain'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const noTrace = '0'.repeat(32)
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The trace that events of a correlation id belong to: the digits of the UUID; of any other text, its hash. */
export const traceIdOf = (correlationId: string): string => {
  const digits = correlationId.toLowerCase().replaceAll('-', '')
  return uuid.test(correlationId.toLowerCase()) && digits !== noTrace ? digits : sha256(correlationId).slice(0, 32)
}

/** The span of a command's append to a stream, which every event of that append can tell. */
export const appendSpanIdOf = (commandId: string, stream: string): string =>
  sha256(`${commandId}\n${stream}`).slice(0, 16)

/**
 * The span that appended an event, by what the log holds. It is marked as sampled, since the log does not say: a sampler
 * that goes by the trace's id decides as it did for that span.
 */
export const appendSpanOf = ({ stream, metadata }: Pick<RecordedEvent, 'stream' | 'metadata'>): SpanContext => ({
  traceId: traceIdOf(metadata.correlationId),
  spanId: appendSpanIdOf(metadata.commandId, stream),
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
})

/**
 * The correlation id of what happens now: the active trace's id in the shape of a UUID, so that whoever reads the event
 * later finds the trace. Without a sampled trace, the given one.
 */
export const correlationNow = (otherwise: string): string => {
  const active = trace.getActiveSpan()?.spanContext()
  if (active === undefined || !isSpanContextValid(active) || (active.traceFlags & TraceFlags.SAMPLED) === 0)
    return otherwise
  return active.traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const spanIdKey = createContextKey('quittance: the id of the next span')

/** A context in which the next span gets this id, where the deployment's generator of ids asks for it. */
export const choosingSpanId = (within: Context, spanId: string): Context => within.setValue(spanIdKey, spanId)

/** The id that the next span was chosen; null: any. */
export const chosenSpanId = (within: Context): string | null => {
  const chosen = within.getValue(spanIdKey)
  return typeof chosen === 'string' ? chosen : null
}
