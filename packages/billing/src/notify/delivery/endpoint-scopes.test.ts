import { asText, HttpUrl, Webhook } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { execute } from '../../kernel/execute.ts'
import { type DeliveryStage, openDeliveryStage } from '../../testing/delivery/delivery-stage.ts'
import type { Receiver } from '../../testing/delivery/receiver.ts'
import { done, refused } from '../../testing/outcomes.ts'
import { someone } from '../../testing/shop.ts'

describe('an endpoint that an app token made', () => {
  let stage: DeliveryStage
  beforeEach(async () => {
    stage = await openDeliveryStage()
  })
  afterEach(() => stage.close())

  const tokenWith = async (...scopes: ReadonlyArray<string>) =>
    (await done(stage.billing.merchants.createKey(stage.now(), scopes))).keyId
  const detailsOf = ({ url }: { readonly url: string }, events: ReadonlyArray<string>) => ({
    name: asText('Orders'),
    url: decoded(HttpUrl, url),
    events: events.map(asText),
    description: asText('Secret plans'),
  })
  const make = async (actor: string, server: { readonly url: string }, events: ReadonlyArray<string>) =>
    done(stage.billing.webhooks.create({ ...stage.now(), actor }, detailsOf(server, events)))
  const happen = async () => {
    const id = await stage.makeProduct()
    await done(stage.billing.customers.createAll(stage.now(), [someone(`${id}@example.org`.toLowerCase())]))
    await stage.deliverer.settle()
  }
  const types = ({ received }: Receiver) => received.map(({ type }) => type)
  /** As an earlier release let a token do it. */
  const redirect = async (actor: string, id: string, { url }: { readonly url: string }) => {
    const decide = Webhook.decider.decide({
      type: 'UpdateWebhook',
      changed: { url: decoded(HttpUrl, url) },
      allowed: 'https or loopback',
    })
    await execute(stage.services.store)(Webhook, id, { ...stage.now(), actor }, decide)
  }

  it('receives what the token may read, also once the token is revoked', async () => {
    const server = await stage.receiver()
    const token = await tokenWith('webhooks:write', 'products:read')
    await make(token, server, ['product.created'])
    await happen()
    const [key] = (await stage.billing.merchants.keys(stage.merchantId)).filter(({ row }) => row.key.keyId === token)
    if (key === undefined) throw new Error('the token is no key of the merchant')
    await done(stage.billing.merchants.revokeKey(stage.now(), key.row.key.keyId))
    await happen()
    expect(types(server)).toEqual(['product.created', 'product.created'])
  })

  it('receives nothing else, even of a selection that an earlier release accepted', async () => {
    const server = await stage.receiver()
    const { id } = await stage.endpoint(server, ['*'])
    await redirect(await tokenWith('webhooks:write', 'products:read'), id, { url: `${server.url}elsewhere` })
    await happen()
    expect(types(server)).toEqual(['product.created'])
  })

  it('ends deliveries that were on their way when a token chose the address', async () => {
    const server = await stage.receiver(() => 500)
    const { id } = await stage.endpoint(server, ['customer.created'])
    await happen()
    expect(types(server)).toEqual(['customer.created'])
    await redirect(await tokenWith('webhooks:write'), id, { url: `${server.url}elsewhere` })
    await stage.advance(60_000)
    const { resources } = await done(
      stage.billing.deliveries.list(id, { merchantId: stage.merchantId, environment: 'testnet', limit: 10 }),
    )
    expect(types(server)).toEqual(['customer.created'])
    expect(resources).toMatchObject([{ status: 'exhausted', failure: 'scope_missing' }])
  })

  it('is named, and not shown, in its test events, unless the token may read endpoints', async () => {
    const server = await stage.receiver()
    const { id } = await make(await tokenWith('webhooks:write', 'products:read'), server, ['product.created'])
    await done(stage.billing.deliveries.test(stage.now(), id))
    await stage.deliverer.settle()
    expect(server.received).toMatchObject([{ type: 'webhook.test', body: { data: { id, object: 'webhook' } } }])
    expect(JSON.stringify(server.received)).not.toContain('Secret plans')
  })

  it('cannot be made for events that the token may not read', async () => {
    const server = await stage.receiver()
    const context = { ...stage.now(), actor: await tokenWith('webhooks:write') }
    const missing = { _tag: 'ScopeMissing', scope: 'customers:read', event: 'customer.created' }
    expect(await refused(stage.billing.webhooks.create(context, detailsOf(server, ['*'])))).toEqual(missing)
  })
})
