import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import type { RecordedEvent } from '@quittance/domain'
import { failSpan, inSpan } from '../../kernel/tracing/spans.ts'
import { appendSpanOf } from '../../kernel/tracing/trace-ids.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import type { Outcome } from './outcome.ts'

/**
 * Measures an attempt in the trace that appended its event, however long ago and in whichever process. `event` is null for
 * a test of an endpoint, which no event of the log has caused. Only the host of the address is told.
 */
export const traceAttempt = (
  { id, eventType, environment, attempts, kind }: Delivery,
  event: RecordedEvent | null,
  send: () => Promise<Outcome>,
): Promise<Outcome> => {
  const attributes = {
    'quittance.environment': environment,
    'quittance.delivery.id': id,
    'quittance.delivery.kind': kind,
    'quittance.delivery.attempt': attempts + 1,
    'quittance.event.type': eventType,
  }
  const parent = event === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, appendSpanOf(event))
  return inSpan(
    'deliver webhook',
    { kind: SpanKind.CLIENT, attributes },
    async (span) => {
      const outcome = await send()
      if (outcome._tag !== 'Attempted') {
        failSpan(span, outcome._tag)
        return outcome
      }
      const { endpoint, result } = outcome
      span.setAttribute('server.address', new URL(endpoint.url).hostname)
      if (result._tag === 'Answered') span.setAttribute('http.response.status_code', result.status)
      const isArrived = result._tag === 'Answered' && result.status >= 200 && result.status < 300
      if (!isArrived) failSpan(span, result._tag)
      return outcome
    },
    parent,
  )
}
