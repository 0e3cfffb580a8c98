import { createServer } from 'node:http'

type Value = {
  readonly stringValue?: string
  readonly intValue?: number
  readonly arrayValue?: { values: Array<Value> }
}
type Attribute = { readonly key: string; readonly value: Value }
type WireSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: ReadonlyArray<Attribute>
  readonly links?: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
  readonly status: { readonly code?: number }
}

export type CollectedSpan = {
  readonly traceId: string
  readonly spanId: string
  /** Null for the root of a trace. */
  readonly parentSpanId: string | null
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  /** Spans of other traces, as `<trace>/<span>`. */
  readonly links: ReadonlyArray<string>
  readonly hasFailed: boolean
}

/** A collector of OpenTelemetry on this machine, which keeps what it receives in memory. */
export type Collector = {
  /** The variables that send spans to it. */
  readonly environment: Readonly<Record<string, string>>
  readonly spans: () => ReadonlyArray<CollectedSpan>
  /** Everything received, as it came. */
  readonly received: () => string
  readonly close: () => Promise<void>
}

const valueIn = ({ stringValue, intValue, arrayValue }: Value): unknown =>
  arrayValue === undefined ? (stringValue ?? intValue) : arrayValue.values.map(valueIn)

const collected = ({
  traceId,
  spanId,
  parentSpanId,
  name,
  attributes,
  links = [],
  status,
}: WireSpan): CollectedSpan => ({
  traceId,
  spanId,
  parentSpanId: parentSpanId === undefined || parentSpanId === '' ? null : parentSpanId,
  name,
  attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, valueIn(value)])),
  links: links.map((link) => `${link.traceId}/${link.spanId}`),
  hasFailed: status.code === 2,
})

export const startCollector = async (): Promise<Collector> => {
  const bodies: Array<string> = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(body)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the collector listens on no port')
  return {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}`, OTEL_BSP_SCHEDULE_DELAY: '50' },
    spans: () =>
      bodies.flatMap((body) => {
        const sent: { resourceSpans: Array<{ scopeSpans: Array<{ spans: Array<WireSpan> }> }> } = JSON.parse(body)
        return sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(collected)))
      }),
    received: () => bodies.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
