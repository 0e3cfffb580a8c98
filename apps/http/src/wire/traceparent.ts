import { type SpanContext, TraceFlags } from '@opentelemetry/api'

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const longest = 256

/**
 * The span of a caller, as W3C Trace Context writes it; null for anything else, which is ignored. Whether the caller has
 * sampled it is not read, since nobody outside decides what is kept here.
 */
export const callerSpan = (header: string | ReadonlyArray<string> | undefined): SpanContext | null => {
  if (typeof header !== 'string' || header.length > longest) return null
  const [, version, traceId = '', spanId = '', more] = shape.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, traceFlags: TraceFlags.NONE, isRemote: true }
}
