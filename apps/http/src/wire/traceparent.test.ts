import { callerSpan } from './traceparent.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const valid = `00-${traceId}-${spanId}-01`

describe('traceparent', () => {
  it.each([
    ['sampled', valid],
    ['not sampled', `00-${traceId}-${spanId}-00`],
    ['of a later version with more fields', `01-${traceId}-${spanId}-01-more`],
  ])('names the span of a caller, whose wish to sample is not read: %s', (_, header) => {
    expect(callerSpan(header)).toEqual({ traceId, spanId, traceFlags: 0, isRemote: true })
  })

  it.each([
    ['absent', undefined],
    ['sent twice', [valid, valid]],
    ['sent twice and joined', `${valid}, ${valid}`],
    ['empty', ''],
    ['text', 'hello'],
    ['of the forbidden version', `ff-${traceId}-${spanId}-01`],
    ['of version 00 with more fields', `${valid}-more`],
    ['without a trace', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['without a span', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['in capitals', valid.toUpperCase()],
    ['too short', valid.slice(0, -1)],
    ['with a line break', `${valid}\n`],
    ['followed by a script', `01-${traceId}-${spanId}-01-\n<script>`],
    ['longer than any is', `01-${traceId}-${spanId}-01-${'a'.repeat(20_000)}`],
  ])('is ignored when it is %s', (_, header) => {
    expect(callerSpan(header)).toBeNull()
  })
})
