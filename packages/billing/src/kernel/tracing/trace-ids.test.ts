import { isSpanContextValid } from '@opentelemetry/api'
import { appendSpanOf, correlationNow, traceIdOf } from './trace-ids.ts'

const correlationId = '0af76519-16cd-43dd-8448-eb211c80319c'

describe('the trace that an event tells', () => {
  it('is its correlation id, without hyphens', () => {
    expect(traceIdOf(correlationId)).toBe('0af7651916cd43dd8448eb211c80319c')
    expect(traceIdOf(correlationId.toUpperCase())).toBe('0af7651916cd43dd8448eb211c80319c')
  })

  it.each(['', 'an order of ours', '00000000-0000-0000-0000-000000000000', '0af7651916cd43dd8448eb211c80319c'])(
    'is a hash of a correlation id that is no UUID: %j',
    (text) => {
      expect(traceIdOf(text)).toMatch(/^[0-9a-f]{32}$/)
      expect(traceIdOf(text)).not.toMatch(/^0*$/)
      expect(traceIdOf(text)).toBe(traceIdOf(text))
    },
  )

  it('names one span for each command and stream', () => {
    const recorded = (commandId: string, stream: string) =>
      appendSpanOf({
        stream,
        metadata: {
          merchantId: 'mer_1',
          environment: 'testnet',
          commandId,
          correlationId,
          causationId: null,
          actor: 'process',
          occurredAt: 0,
          previousHash: '',
          hash: '',
        },
      })
    const spans = [recorded('a', 'checkout-1'), recorded('a', 'checkout-2'), recorded('b', 'checkout-1')]
    expect(spans.every(isSpanContextValid)).toBe(true)
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3)
    expect(recorded('a', 'checkout-1')).toEqual(spans[0])
  })

  it('leaves a correlation id as it is where nothing is traced', () => {
    expect(correlationNow(correlationId)).toBe(correlationId)
  })
})
