import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { pino } from 'pino'
import { collectSpans } from './collect-spans.ts'
import { traceIdsNow } from './trace-ids-in-logs.ts'

describe('the lines of a log', () => {
  const lines: Array<string> = []
  const log = pino({ base: null, timestamp: false, mixin: traceIdsNow }, { write: (line) => void lines.push(line) })
  const logged = () => lines.splice(0).map((line) => JSON.parse(line))

  it('hold no trace and nothing of other lines while nothing is traced', () => {
    log.info({ one: 1 }, 'first')
    log.info('second')
    expect(logged()).toEqual([
      { level: 30, one: 1, msg: 'first' },
      { level: 30, msg: 'second' },
    ])
  })

  it('name the trace and the span in which they are written, once', async () => {
    const sampling = { kind: 'all' } as const
    const exporter = new InMemorySpanExporter()
    const { close } = collectSpans({ sampling }, new SimpleSpanProcessor({ exporter }))
    const named = trace.getTracer('test').startActiveSpan('a span', (span) => {
      const { traceId, spanId } = span.spanContext()
      const ids = { trace_id: traceId, span_id: spanId }
      log.info('in a span')
      log.child(ids).info('of a log that names it')
      span.end()
      return ids
    })
    log.info('outside')
    await close()
    const texts = lines.map((line) => line.match(/trace_id/g)?.length ?? 0)
    expect(texts).toEqual([1, 1, 0])
    expect(logged()).toEqual([
      { level: 30, ...named, msg: 'in a span' },
      { level: 30, ...named, msg: 'of a log that names it' },
      { level: 30, msg: 'outside' },
    ])
  })
})
