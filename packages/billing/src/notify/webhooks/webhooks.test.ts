import { asText, HttpUrl, type WebhookDetails } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { done, refused } from '../../testing/outcomes.ts'
import { command, openShop } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { webhooks } from './webhooks.ts'

describe('webhook endpoints', () => {
  let front: StoreFront
  beforeAll(async () => {
    front = await openStoreFront()
  })
  afterAll(() => front.close())

  const details: WebhookDetails = {
    name: asText('Orders'),
    url: decoded(HttpUrl, 'https://shop.example/hooks'),
    events: [asText('payment.confirmed')],
    description: null,
  }
  const now = () => command(front.platform, front.merchantId)
  const ours = () => front.billing.webhooks
  const notFound = { _tag: 'WebhookNotFound' }

  it('shows the secret of an endpoint once', async () => {
    const { secret, ...created } = await done(ours().create(now(), details))
    expect(created).toMatchObject({ ...details, object: 'webhook', is_disabled: false, environment: 'testnet' })
    expect(created.id).toMatch(/^wh_[0-9A-Za-z]{22}$/)
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
    expect(await done(ours().retrieve(front.scope, created.id))).toEqual(created)
    const { resources } = await ours().list({ ...front.scope, limit: 1 })()
    expect(resources).toEqual([created])
  })

  it('answers a repeated request with the same endpoint and secret', async () => {
    const context = now()
    const created = await done(ours().create(context, details))
    await done(ours().update(now(), created.id, { changed: { name: asText('Other') }, isDisabled: true }))
    expect(await done(ours().create(context, details))).toEqual(created)
    const rotation = now()
    const rotated = await done(ours().rotateSecret(rotation, created.id))
    expect(await done(ours().rotateSecret(rotation, created.id))).toEqual(rotated)
    expect(rotated.secret).not.toBe(created.secret)
  })

  it("writes no part of an endpoint's secret to the log", async () => {
    const { id, secret } = await done(ours().create(now(), details))
    const rotated = await done(ours().rotateSecret(now(), id))
    const { events } = await done(front.services.store.readStream(`webhook-${id}`))
    const text = JSON.stringify(events, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
    for (const shown of [secret, rotated.secret]) {
      const bits = Buffer.from(shown.slice('whsec_'.length), 'base64')
      for (const form of [bits.toString('base64'), bits.toString('base64url'), bits.toString('hex')]) {
        expect(text).not.toContain(form)
      }
    }
  })

  it('changes only the given fields of an endpoint', async () => {
    const { secret: _, ...created } = await done(ours().create(now(), details))
    front.network.wait(1000)
    const disabled = await done(ours().update(now(), created.id, { changed: {}, isDisabled: true }))
    expect(disabled).toEqual({ ...created, is_disabled: true, updated_at: disabled.updated_at })
    expect(disabled.updated_at > created.updated_at).toBe(true)
    const changed = { description: asText('new'), events: [asText('*')] }
    const after = await done(ours().update(now(), created.id, { changed, isDisabled: null }))
    expect(after).toEqual({ ...disabled, ...changed })
  })

  it('allows endpoints on the same machine only in the sandbox', async () => {
    const local = { ...details, url: decoded(HttpUrl, 'http://127.0.0.1:8080/') }
    expect(await done(ours().create(now(), local))).toMatchObject({ url: local.url })
    const { networks } = front.services
    const testnet = networks.testnet === null ? null : { ...networks.testnet, provision: null }
    const elsewhere = webhooks({ ...front.services, networks: { ...networks, testnet } })
    expect(await refused(elsewhere.create(now(), local))).toEqual({ _tag: 'WebhookUrlNotHttps' })
    const { id } = await done(elsewhere.create(now(), details))
    const moving = { changed: { url: local.url }, isDisabled: null }
    expect(await refused(elsewhere.update(now(), id, moving))).toEqual({ _tag: 'WebhookUrlNotHttps' })
  })

  it('allows no endpoint on the same machine in a sandbox beside a real network', async () => {
    const local = { ...details, url: decoded(HttpUrl, 'http://127.0.0.1:8080/') }
    const { networks } = front.services
    const mainnet = networks.testnet === null ? null : { ...networks.testnet, provision: null }
    const beside = webhooks({ ...front.services, networks: { ...networks, mainnet } })
    expect(await refused(beside.create(now(), local))).toEqual({ _tag: 'WebhookUrlNotHttps' })
  })

  it('finds no deleted endpoint, and allows a repeated deletion', async () => {
    const { id } = await done(ours().create(now(), details))
    await done(ours().remove(now(), id))
    await done(ours().remove(now(), id))
    expect(await refused(ours().retrieve(front.scope, id))).toEqual(notFound)
    expect(await refused(ours().update(now(), id, { changed: {}, isDisabled: true }))).toEqual(notFound)
    expect(await refused(ours().rotateSecret(now(), id))).toEqual(notFound)
    const { resources } = await ours().list({ ...front.scope, limit: 100 })()
    expect(resources.map((each) => each.id)).not.toContain(id)
  })

  it('allows a merchant sixteen endpoints in an environment, even when all are requested at once', async () => {
    const merchantId = await openShop(front.platform)
    const contexts = Array.from({ length: 20 }, () => command(front.platform, merchantId))
    const made = await Promise.all(contexts.map((context) => ours().create(context, details)()))
    expect(made.filter(E.isRight)).toHaveLength(16)
    expect(made.find(E.isLeft)).toEqual(E.left({ _tag: 'TooManyEndpoints', most: 16 }))
    const again = await Promise.all(contexts.map((context) => ours().create(context, details)()))
    expect(again).toEqual(made)
    const { resources } = await ours().list({ merchantId, environment: 'testnet', limit: 100 })()
    await done(ours().remove(command(front.platform, merchantId), resources[0]?.id ?? ''))
    await done(ours().create(command(front.platform, merchantId), details))
    await done(ours().create({ ...command(front.platform, merchantId), environment: 'mainnet' }, details))
  })

  it('hides endpoints from other merchants and environments', async () => {
    const { id } = await done(ours().create(now(), details))
    const [merchantId, stream] = ['mer_other', `webhook-${id}`]
    expect(await refused(ours().retrieve({ ...front.scope, merchantId }, id))).toEqual(notFound)
    expect(await refused(ours().retrieve({ ...front.scope, environment: 'mainnet' }, id))).toEqual(notFound)
    expect(await refused(ours().remove({ ...now(), merchantId }, id))).toEqual({ _tag: 'ForeignStream', stream })
  })
})
