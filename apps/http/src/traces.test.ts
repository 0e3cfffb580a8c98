import { createServer } from 'node:http'
import { type CollectedSpan, type Collector, startCollector } from './testing/collector.ts'
import { eventually } from './testing/eventually.ts'
import { completed, openSale } from './testing/sale.ts'
import { type Service, startService } from './testing/service.ts'

const callersTrace = '0af7651916cd43dd8448eb211c80319c'
const callersSpan = 'b7ad6b7169203331'
const traceparent = `00-${callersTrace}-${callersSpan}-01`
const secretQuery = 'token=nobody-may-read-this'

/** An endpoint that answers its first post with an error, and the others well. */
const startEndpoint = async () => {
  const types: Array<string> = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const isFirst = types.length === 0
      types.push(JSON.parse(body).type)
      response.writeHead(isFirst ? 500 : 200).end()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the endpoint listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}/hook?${secretQuery}`,
    types: () => types,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The one span with these facts. */
const only = (spans: ReadonlyArray<CollectedSpan>, isMeant: (span: CollectedSpan) => boolean): CollectedSpan => {
  const [found, ...more] = spans.filter(isMeant)
  if (found === undefined || more.length > 0) throw new Error(`not one span but ${more.length + (found ? 1 : 0)}`)
  return found
}

const appends =
  (type: string) =>
  ({ attributes }: CollectedSpan): boolean => {
    const types = attributes['quittance.event.types']
    return Array.isArray(types) && types.includes(type)
  }

/** A span with those below it, by their names. */
const treeOf = (spans: ReadonlyArray<CollectedSpan>, { traceId, spanId, name }: CollectedSpan): object => ({
  [name]: spans
    .filter((each) => each.traceId === traceId && each.parentSpanId === spanId)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((each) => treeOf(spans, each)),
})

const nameOf = ({ traceId, spanId }: CollectedSpan): string => `${traceId}/${spanId}`

describe('the traces of a sale', () => {
  let collector: Collector
  let service: Service
  let endpoint: Awaited<ReturnType<typeof startEndpoint>>
  beforeAll(async () => {
    collector = await startCollector()
    endpoint = await startEndpoint()
    service = await startService(collector.environment)
  })
  afterAll(() => endpoint.close())

  it('lead from the request to its events, to the ledger, and to each webhook', async () => {
    const { api } = service
    const events = ['checkout.created', 'payment.confirmed', 'checkout.completed']
    await api('/webhooks', { body: { name: 'hook', url: endpoint.url, events } })
    const ask = (path: string, request: Parameters<typeof api>[1]) =>
      api(path, path.startsWith('/checkout') ? { ...request, headers: { traceparent } } : request)
    const { id } = await openSale({ ...service, api: ask })
    const paid = await api('/sandbox/pay', { body: { checkout_id: id } })
    expect(paid.status).toBe(200)
    await completed(service, id)
    await eventually(
      async () => {
        await api('/sandbox/advance', { body: { seconds: 60 } })
        return endpoint.types()
      },
      (types) => types.length === events.length + 1,
    )
    await service.close()
    await collector.close()
    const spans = collector.spans()

    const request = only(spans, ({ name }) => name === 'POST /checkout')
    expect(treeOf(spans, request)).toEqual({
      'POST /checkout': [
        { 'command checkout': [{ 'append checkout': [{ 'deliver webhook': [] }, { 'deliver webhook': [] }] }] },
      ],
    })
    expect(request).toMatchObject({ parentSpanId: null, links: [`${callersTrace}/${callersSpan}`] })
    expect(request.traceId).not.toBe(callersTrace)
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/checkout',
      'http.response.status_code': 200,
      'quittance.request.id': expect.stringMatching(/^req_/),
    })

    const created = only(spans, appends('CheckoutCreated'))
    const attempts = spans
      .filter(({ parentSpanId }) => parentSpanId === created.spanId)
      .map(({ attributes, hasFailed }) => ({
        attempt: attributes['quittance.delivery.attempt'],
        status: attributes['http.response.status_code'],
        hasFailed,
      }))
      .toSorted((one, other) => Number(one.attempt) - Number(other.attempt))
    expect(attempts).toEqual([
      { attempt: 1, status: 500, hasFailed: true },
      { attempt: 2, status: 200, hasFailed: false },
    ])

    const { transaction_hash: hash } = paid.body.data
    const sent = only(spans, ({ name }) => name === 'submit transaction')
    expect(sent.attributes).toEqual({
      'quittance.transaction.hash': hash,
      'quittance.transaction.kind': 'payer',
      'quittance.answer': 'Accepted',
    })

    const accepted = only(spans, appends('CreditAccepted'))
    const placed = only(spans, (span) => span.traceId === accepted.traceId && span.parentSpanId === null)
    expect(placed.attributes).toMatchObject({
      'quittance.loop': 'ledger',
      'quittance.ledger': expect.any(Number),
      'quittance.transaction.hashes': [hash],
    })
    expect(treeOf(spans, placed)).toEqual({
      'work ledger': [
        { 'command checkout': [{ 'append checkout': [] }] },
        { 'command checkout': [{ 'append checkout': [{ 'deliver webhook': [] }] }] },
        { 'command payment': [{ 'append payment': [{ 'deliver webhook': [] }] }] },
      ],
    })
    expect(accepted.links).toEqual([nameOf(created)])
    const opened = only(spans, appends('PaymentOpened'))
    expect(only(spans, appends('PaymentConfirmed')).links).toEqual([nameOf(opened)])
    expect(opened.traceId).toBe(sent.traceId)

    const told = collector.received()
    for (const hidden of [id, secretQuery, service.facts.api_key, service.facts.merchant_id, accepted.name + id])
      expect(told).not.toContain(hidden)
  })
})

describe('what a caller sends as traceparent', () => {
  let collector: Collector
  let service: Service
  let checkout: string
  beforeAll(async () => {
    collector = await startCollector()
    service = await startService(collector.environment)
    checkout = (await openSale(service)).id
  })

  it('is never joined, and linked only where it is valid and comes with a credential', async () => {
    const { api, anyone } = service
    const hostile = [`${traceparent}-more`, `ff${traceparent.slice(2)}`, '00-0-0-01', '\u00ff'.repeat(300), '; DROP']
    for (const header of hostile)
      expect((await api(`/checkout/${checkout}`, { headers: { traceparent: header } })).status).toBe(200)
    expect((await anyone(`/pay/${checkout}/quote`, { headers: { traceparent } })).status).toBe(200)
    expect((await anyone('/nowhere', { headers: { traceparent } })).status).toBe(404)
    expect((await api(`/checkout/${checkout}`, { headers: { 'x-api-key': 'wrong', traceparent } })).status).toBe(401)
    await service.close()
    await collector.close()
    const requests = collector.spans().filter(({ attributes }) => 'http.response.status_code' in attributes)
    expect(requests.filter(({ name }) => name === 'GET /checkout/:id')).toHaveLength(hostile.length + 1)
    expect(requests.filter(({ links }) => links.length > 0)).toEqual([])
    expect(collector.received()).not.toContain(callersTrace)
  })
})

describe('a share of traces', () => {
  it('keeps nothing at 0, whatever callers have sampled', async () => {
    const collector = await startCollector()
    const sampler = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }
    const service = await startService({ ...collector.environment, ...sampler })
    expect((await service.api('/product', { headers: { traceparent } })).status).toBe(200)
    await service.close()
    await collector.close()
    expect(collector.spans()).toEqual([])
  })
})
