import { trace } from '@opentelemetry/api'

type Bound = { readonly bindings: () => object }

/**
 * For `mixin` of a log: the trace and the span of what is logged, unless the log names them already. The object is new for
 * each line, since the log writes the line's own facts into it.
 */
export const traceIdsNow = (_line: object, _level: number, log: Bound): object => {
  const active = trace.getActiveSpan()?.spanContext()
  if (active === undefined || 'trace_id' in log.bindings()) return {}
  return { trace_id: active.traceId, span_id: active.spanId }
}
