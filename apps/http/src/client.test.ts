import { createClient, QuittanceError } from '@quittance/client'
import fc from 'fast-check'
import { startCuttingProxy } from './testing/cutting-proxy.ts'
import { type Service, startService } from './testing/service.ts'
import { fundedWallet, walletOn } from './testing/wallet.ts'

let service: Service
let client: ReturnType<typeof createClient>
beforeAll(async () => {
  service = await startService()
  client = createClient({ baseUrl: service.url, apiKey: service.facts.api_key })
})
afterAll(() => service.close())

const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 } as const
const person = () => ({ email: `${crypto.randomUUID()}@shop.example`, name: 'Ada' })
const all = async <A>(list: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const records: Array<A> = []
  for await (const record of list) records.push(record)
  return records
}
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => (error instanceof QuittanceError ? error.failure : error))
const refused = (status: number, code: string, param: string | null = null) => ({
  _tag: 'Refused',
  status,
  code,
  message: expect.stringMatching(/./),
  param,
  requestId: expect.stringMatching(/^req_/),
  retryAfterMs: null,
})

describe('the client', () => {
  it('sells a product: a checkout, a payment from a wallet, and access', async () => {
    const product = await client.products.create(book)
    const { email } = person()
    const checkout = await client.checkouts.createForProduct({ product_id: product.id, customer_email: email })
    const anyone = createClient({ baseUrl: service.url })
    const states = anyone.payer.follow(checkout.id)[Symbol.asyncIterator]()
    expect((await states.next()).value).toMatchObject({ checkout_id: checkout.id, status: 'open' })

    const { asset_id } = await anyone.payer.quote(checkout.id)
    const wallet = await fundedWallet(service.facts, [asset_id])
    const assets = await anyone.payer.assets(checkout.id, { account: wallet.address, asset_ids: [asset_id] })
    expect(assets.find(({ is_settlement_asset }) => is_settlement_asset)).toMatchObject({ asset_id })
    const { transaction_xdr } = await anyone.payer.transaction(checkout.id, { source_account: wallet.address })
    const sent = await anyone.payer.submit(checkout.id, wallet.sign(transaction_xdr))

    const told = await all({ [Symbol.asyncIterator]: () => states })
    expect(told.at(-1)).toMatchObject({ status: 'completed', transaction_hash: sent.transaction_hash })
    const { customer_id, payment_id } = await client.checkouts.retrieve(checkout.id)
    const payment = await client.payments.retrieve(String(payment_id))
    expect(payment).toMatchObject({ status: 'confirmed', amount_cents: 1250, customer_id })
    const [customer, status] = [String(customer_id), 'confirmed'] as const
    expect(await all(client.payments.list({ customer, status }))).toEqual([payment])
    expect(await all(client.payments.list({ customer_id: customer, status }))).toEqual([payment])
    const access = (at?: Date) =>
      client.customers.access(String(customer_id), product.id, at === undefined ? {} : { at })
    expect(await access()).toMatchObject({ has_access: true, grant: { type: 'one_time', payment_id } })
    expect(await access(new Date(0))).toEqual({ has_access: false, grant: null, expires_at: null })
  })

  it('the client changes, archives and expires resources, and answers as the service does', async () => {
    const product = await client.products.create({ ...book, metadata: { shelf: 7, tags: ['a'] } })
    expect((await service.api(`/product/${product.id}`)).body).toEqual({ data: product })
    const changed = await client.products.update(product.id, { name: 'Another', metadata: { shelf: null } })
    expect(changed).toMatchObject({ name: 'Another', metadata: { tags: ['a'] }, price_amount_cents: 1250 })
    const { id } = product
    expect(await client.products.delete(id)).toEqual({ id, object: 'product', deleted: true })
    expect(await client.products.retrieve(id)).toMatchObject({ status: 'archived' })
    const checkout = await client.checkouts.createDirect({ amount: 1.5, currency_code: 'XLM' })
    expect(checkout).toMatchObject({ amount: 1.5, amount_cents: 150, status: 'open' })
    expect(await client.checkouts.expire(checkout.id)).toMatchObject({ status: 'expired' })
  })

  it('the client manages customers, one or several, with their wallets and their portal', async () => {
    const [ada, grace] = await client.customers.createAll([person(), person()])
    const { id } = await client.customers.create(person())
    const challenge = await client.customers.wallets.challenge(id, walletOn(service.facts).address)
    expect(challenge.network_passphrase).toBe(service.facts.network_passphrase)
    const wallet = walletOn(service.facts)
    const { transaction } = await client.customers.wallets.challenge(id, wallet.address)
    const linked = await client.customers.wallets.verify(id, wallet.sign(transaction))
    expect((await client.customers.update(id, { name: 'Ada L.' })).wallets).toEqual([linked])
    expect(await client.customers.wallets.delete(id, linked.id)).toMatchObject({ deleted: true })
    expect(await client.customers.openPortal(id)).toMatchObject({ object: 'portal_session' })
    expect(await client.customers.delete(id)).toBeNull()
    expect(await failureOf(client.customers.retrieve(id))).toEqual(refused(404, 'not_found'))
    expect(await all(client.customers.list({ email: ada?.email?.toUpperCase() ?? '' }))).toEqual([ada])
    const page = await client.customers.list({ limit: 2 }).page()
    expect(page.data).toEqual(expect.arrayContaining([ada, grace]))
  })

  it('the client grants and consumes credits, and lists the entries', async () => {
    const product = await client.products.create({ ...book, type: 'metered', unit: 'page', total_credits: 3 })
    const customer = await client.customers.create(person())
    const checkout = await client.checkouts.createForProduct({ product_id: product.id, customer_id: customer.id })
    await client.sandbox.pay({ checkout_id: checkout.id })
    for await (const { status } of client.payer.follow(checkout.id)) if (status === 'completed') break
    expect(await client.credits.consume(customer.id, product.id, { units: 2 })).toMatchObject({ balance: 1 })
    expect(await client.credits.retrieve(customer.id, product.id)).toMatchObject({ granted: 3, balance: 1 })
    const entries = await all(client.credits.transactions(customer.id, product.id, { limit: 1 }))
    expect(entries.map(({ type }) => type)).toEqual(['consumed', 'granted'])
    const tooMany = client.credits.consume(customer.id, product.id, { units: 9 })
    expect(await failureOf(tooMany)).toMatchObject({ code: 'insufficient_credits' })
  })

  it('the client manages webhook endpoints, and shows their secret once', async () => {
    const { secret, ...webhook } = await client.webhooks.create({
      name: 'Shop',
      url: 'https://shop.example/hook',
      events: ['payment.confirmed'],
    })
    expect(secret).toMatch(/^whsec_/)
    expect(await client.webhooks.retrieve(webhook.id)).toEqual(webhook)
    expect((await client.webhooks.rotateSecret(webhook.id)).secret).not.toBe(secret)
    const changed = await client.webhooks.update(webhook.id, { is_disabled: true })
    expect(await all(client.webhooks.list())).toEqual([changed])
    expect(await client.webhooks.delete(webhook.id)).toMatchObject({ deleted: true })
  })

  it('the client lists assets and currencies, shows readiness, and moves the clock of the sandbox', async () => {
    expect((await client.catalogue.assets()).map(({ asset_id }) => asset_id)).toContain('native')
    expect(await client.catalogue.currencies()).toHaveLength(170)
    expect(await client.service.health()).toEqual({ status: 'ok' })
    expect(await client.service.ready()).toMatchObject({ status: expect.stringMatching(/^(not_)?ready$/) })
    expect(await all(client.exceptions.list({ status: 'open' }))).toEqual([])
    expect(await all(client.subscriptions.list('cus_none', { status: 'active' }))).toEqual([])
    const { now } = await client.sandbox.clock()
    const advanced = await client.sandbox.advance({ seconds: 60 })
    expect(Date.parse(advanced.now) - Date.parse(now)).toBeGreaterThanOrEqual(60_000)
    expect(await client.sandbox.setFaults({})).toEqual({})
    expect(await client.sandbox.faults()).toEqual({})
  })

  it('tells the cause of an error by its code and field', async () => {
    const ada = person()
    await client.customers.create(ada)
    expect(await failureOf(client.customers.create(ada))).toEqual(refused(409, 'email_taken', 'email'))
    const stranger = createClient({ baseUrl: service.url, apiKey: 'sk_test_unknown' })
    expect(await failureOf(stranger.catalogue.assets())).toEqual(refused(401, 'invalid_api_key'))
    const nobody = createClient({ baseUrl: service.url })
    expect(await failureOf(nobody.products.list().page())).toEqual(refused(401, 'unauthorized'))
    const missing = client.payer.follow('chk_0000000000000000000000')
    expect(await failureOf(all(missing))).toEqual(refused(404, 'not_found'))
  })

  it('ends a stream of states when its caller aborts', async () => {
    const { id } = await client.checkouts.createDirect({ amount: 1, currency_code: 'XLM' })
    const caller = new AbortController()
    const seen = (async () => {
      for await (const _ of client.payer.follow(id, { signal: caller.signal })) caller.abort('enough')
    })()
    expect(await failureOf(seen)).toEqual({ _tag: 'Aborted', reason: 'enough' })
  })
})

describe('a lost response', () => {
  it('retries after a lost response, and the request takes effect once', async () => {
    const proxy = await startCuttingProxy(service.url)
    const hurried = { now: performance.now.bind(performance), wait: hurry }
    const behind = createClient({ baseUrl: proxy.url, apiKey: service.facts.api_key, clock: hurried })
    const before = await all(client.products.list())
    const product = await behind.products.create(book)
    const checkout = await behind.checkouts.createForProduct({ product_id: product.id })
    expect(await all(client.products.list())).toEqual([product, ...before])
    expect(await client.checkouts.list({ limit: 1 }).page()).toMatchObject({ data: [checkout] })
    const ada = person()
    // Asked anew, it would be refused: the email is taken.
    expect(await behind.customers.create(ada)).toMatchObject(ada)
    proxy.close()
  })

  /** Skips pauses, and lets nothing run out of time. */
  const hurry = (ms: number, signal: AbortSignal): Promise<void> =>
    ms < 10_000
      ? Promise.resolve()
      : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
})

describe('a list', () => {
  it('returns the same list in pages of any size, forward, backward, and from any record', async () => {
    for (const _ of Array(12)) await client.products.create(book)
    const products = await all(client.products.list())
    expect((await service.api('/product?limit=100')).body.data.data).toEqual(products)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: products.length + 1 }),
        fc.nat({ max: products.length - 1 }),
        async (limit, place) => {
          const id = String(products[place]?.id)
          const [rest, newer] = [products.slice(place + 1), products.slice(0, place)]
          expect(await all(client.products.list({ limit }))).toEqual(products)
          expect(await all(client.products.list({ limit, starting_after: id }))).toEqual(rest)
          expect(await all(client.products.list({ limit, ending_before: id }))).toEqual(newer.toReversed())
        },
      ),
      { numRuns: 15 },
    )
  })

  it('filters a list by the creation time of its records', async () => {
    const customer = await client.customers.create(person())
    const from = customer.created_at
    expect(await all(client.customers.list({ created: { gte: from } }))).toContainEqual(customer)
    expect(await all(client.customers.list({ created: { lt: new Date(from) } }))).not.toContainEqual(customer)
  })

  it('reads a list to its end even when each record is deleted as it comes', async () => {
    await client.customers.createAll(Array.from({ length: 7 }, person))
    const before = await all(client.customers.list())
    let deleted = 0
    for await (const { id } of client.customers.list({ limit: 3 })) {
      await client.customers.delete(id)
      deleted++
    }
    expect(deleted).toBe(before.length)
    expect(await all(client.customers.list())).toEqual([])
  })
})

it('returns a price as it was given, to the last cent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 10 ** 13 }), async (cents) => {
      const { price_amount_cents, price_amount } = await client.products.create({
        ...book,
        price_amount: cents / 100,
      })
      expect({ price_amount, price_amount_cents }).toEqual({ price_amount: cents / 100, price_amount_cents: cents })
    }),
    { numRuns: 50 },
  )
})
