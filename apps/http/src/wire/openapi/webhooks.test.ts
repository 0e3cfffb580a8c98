import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { eventTypes } from '@quittance/domain/values'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { eventually } from '../../testing/eventually.ts'
import { type Service, startService } from '../../testing/service.ts'
import type { OpenApi } from './document.ts'

type Delivered = { readonly headers: IncomingHttpHeaders; readonly body: ReturnType<typeof JSON.parse> }

const delivered: Array<Delivered> = []
const receiver = createServer(async (request, response) => {
  delivered.push({ headers: request.headers, body: JSON.parse((await buffer(request)).toString()) })
  response.end()
})

let service: Service
let document: OpenApi
beforeAll(async () => {
  service = await startService()
  document = (await service.anyone('/openapi.json')).body
  ajv.addSchema({ $id: 'document', ...document })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
})
afterAll(async () => {
  await service.close()
  receiver.close()
})

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
/** What is wrong with a delivery by the reference. */
const complaints = ({ headers, body }: Delivered): ReadonlyArray<string> => {
  const operation = JSON.parse(JSON.stringify(document.webhooks[body.type]?.post ?? null))
  if (operation === null) return [`the reference has no ${body.type}`]
  const schemaIn = (schema: object) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
  const wrongHeaders = operation.parameters.flatMap(({ $ref }: { readonly $ref: string }) => {
    const { name, schema } = JSON.parse(JSON.stringify(document.components.parameters))[$ref.split('/').at(-1) ?? '']
    const value = schema.type === 'integer' ? Number(headers[name]) : headers[name]
    return ajv.validate(schema, value) ? [] : [`${name}: ${ajv.errorsText()}`]
  })
  const { schema } = operation.requestBody.content['application/json']
  return [...wrongHeaders, ...(ajv.validate(schemaIn(schema), body) ? [] : [ajv.errorsText()])]
}

describe('the webhooks of the reference', () => {
  it('are the types of public events, and the test of an endpoint', () =>
    expect(Object.keys(document.webhooks)).toEqual([...eventTypes, 'webhook.test']))

  it('have the three headers of Standard Webhooks', () => {
    for (const { post } of Object.values(document.webhooks)) {
      expect(post.parameters.map(({ $ref }) => $ref)).toEqual([
        '#/components/parameters/WebhookId',
        '#/components/parameters/WebhookTimestamp',
        '#/components/parameters/WebhookSignature',
      ])
    }
  })

  it('show in examples how a resource stands after its event, and no failure of what has not failed', () => {
    const shown = (type: string) => {
      const { example } = JSON.parse(JSON.stringify(document.webhooks[type]?.post.requestBody)).content[
        'application/json'
      ]
      return [example.type, example.data.status, example.data.failure_reason]
    }
    expect([
      shown('payment.pending'),
      shown('payment.confirmed'),
      shown('payment.failed'),
      shown('checkout.created'),
      shown('checkout.completed'),
      shown('subscription.renewed'),
      shown('subscription.past_due'),
      shown('product.archived'),
      shown('refund.waiting'),
    ]).toEqual([
      ['payment.pending', 'pending', null],
      ['payment.confirmed', 'confirmed', null],
      ['payment.failed', 'failed', 'transaction_dead'],
      ['checkout.created', 'open', null],
      ['checkout.completed', 'completed', null],
      ['subscription.renewed', 'active', undefined],
      ['subscription.past_due', 'past_due', undefined],
      ['product.archived', 'archived', undefined],
      ['refund.waiting', 'pending', null],
    ])
  })

  it('have examples as the schemas say', () => {
    const wrong = Object.entries(document.webhooks).flatMap(([type, { post }]) => {
      const { schema, example } = JSON.parse(JSON.stringify(post.requestBody)).content['application/json']
      const referring = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
      return ajv.validate(referring, example) ? [] : [`${type}: ${ajv.errorsText()}`]
    })
    expect(wrong).toEqual([])
  })

  it('describe what endpoints get', async () => {
    const { port } = receiver.address() as AddressInfo
    const endpoint = { name: 'E', url: `http://127.0.0.1:${port}/hook`, events: ['*'] }
    const { id } = (await service.api('/webhooks', { body: endpoint })).body.data
    const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
    const product = (await service.api('/product', { body: book })).body.data
    await service.api(`/product/${product.id}`, { method: 'PUT', body: { name: 'Another book' } })
    const sold = { product_id: product.id, customer_email: 'ada@example.com' }
    const checkout = (await service.api('/checkout?type=product', { body: sold })).body.data
    await service.api('/sandbox/pay', { body: { checkout_id: checkout.id } })
    await service.api(`/webhooks/${id}/test`, { method: 'POST' })
    const expected = [
      'access.granted',
      'checkout.completed',
      'checkout.created',
      'customer.created',
      'payment.confirmed',
      'payment.pending',
      'product.created',
      'product.updated',
      'webhook.test',
    ]
    await eventually(
      async () => new Set(delivered.map(({ body }) => body.type)),
      (types) => expected.every((type) => types.has(type)),
    )
    expect(delivered.flatMap(complaints)).toEqual([])
  })
})
