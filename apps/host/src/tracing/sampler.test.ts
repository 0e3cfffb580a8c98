import { createHash } from 'node:crypto'
import { ROOT_CONTEXT, SamplingDecision, SpanKind, TraceFlags, trace } from '@opentelemetry/api'
import { samplerOf } from './sampler.ts'
import type { Sampling } from './tracing-setting.ts'

const traceIds = Array.from({ length: 2_000 }, (_, n) =>
  createHash('sha256').update(`trace ${n}`).digest('hex').slice(0, 32),
)

/** The traces that are kept, by a span without a parent or with one that another process had. */
const kept = (sampling: Sampling, flags: TraceFlags | null): ReadonlyArray<string> => {
  const sampler = samplerOf(sampling)
  return traceIds.filter((traceId) => {
    const parent = { traceId, spanId: 'b7ad6b7169203331', traceFlags: flags ?? TraceFlags.NONE, isRemote: true }
    const within = flags === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
    const { decision } = sampler.shouldSample(within, traceId, 'a span', SpanKind.INTERNAL, {}, [])
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  })
}

describe('the traces that are kept', () => {
  it.each([
    [{ kind: 'all' }, traceIds.length],
    [{ kind: 'none' }, 0],
    [{ kind: 'share', share: 1 }, traceIds.length],
    [{ kind: 'share', share: 0 }, 0],
  ] as const)('are as many as are asked for: %j', (sampling, count) => {
    expect(kept(sampling, null)).toHaveLength(count)
  })

  it.each([0.1, 0.5, 0.9])(
    'are the same in each process, whatever a span from elsewhere says: a share of %d',
    (share) => {
      const own = kept({ kind: 'share', share }, null)
      expect(Math.abs(own.length / traceIds.length - share)).toBeLessThan(0.05)
      expect(kept({ kind: 'share', share }, TraceFlags.SAMPLED)).toEqual(own)
      expect(kept({ kind: 'share', share }, TraceFlags.NONE)).toEqual(own)
    },
  )

  it('are decided by the parent within a process', () => {
    const sampler = samplerOf({ kind: 'share', share: 0 })
    const parent = { traceId: traceIds[1] ?? '', spanId: 'b7ad6b7169203331', traceFlags: TraceFlags.SAMPLED }
    const within = trace.setSpanContext(ROOT_CONTEXT, parent)
    expect(sampler.shouldSample(within, parent.traceId, 'a span', SpanKind.INTERNAL, {}, []).decision).toBe(
      SamplingDecision.RECORD_AND_SAMPLED,
    )
  })
})
