import { TransactionBuilder } from '@stellar/stellar-sdk'
import { type HttpResponse, problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'
import { subscribe } from '../testing/subscriber.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

const book = { name: 'Then', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
const calls = { name: 'Calls', type: 'metered', currency_code: 'USD', price_amount: 1, unit: 'call', total_credits: 9 }
const hook = { name: 'Then', url: 'https://shop.example/hook', events: ['payment.confirmed'] }
const session = { amount: 5, currency_code: 'USD' }

describe('a keyed request that is repeated late', () => {
  let service: Service
  let wallet: Wallet
  let numbered = 0
  beforeAll(async () => {
    service = await startService()
    wallet = await fundedWallet(service.facts, [])
  })
  afterAll(() => service.close())

  const ask = async (method: string, path: string, body?: object, key?: string): Promise<HttpResponse> =>
    service.api(path, {
      method,
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    })
  const made = async (...asked: Parameters<typeof ask>) => {
    const { status, body } = await ask(...asked)
    expect([asked, status]).toEqual([asked, 200])
    return body.data
  }
  const newKey = () => `late ${numbered++}`
  const person = () => ({ email: `p${numbered++}@late.example`, name: 'Then', phone: '+15550100' })
  const newPerson = async () => `/customers/${(await made('POST', '/customers', person())).id}`
  const proofFor = async (path: string) => {
    const { transaction, network_passphrase } = await made('POST', `${path}/wallets`, {
      address: wallet.keypair.publicKey(),
    })
    const challenge = TransactionBuilder.fromXDR(transaction, network_passphrase)
    challenge.sign(wallet.keypair)
    return { transaction: challenge.toXDR() }
  }
  const walletOf = async (path: string) => made('POST', `${path}/wallets/verify`, await proofFor(path))

  /** A request that finds all as it wants it, what is changed then, and where the change is seen. */
  type Unchanged = {
    readonly request: readonly [method: string, path: string, body?: object]
    readonly change: () => Promise<unknown>
    readonly seen: string | null
  }
  const archived = async (): Promise<Unchanged> => {
    const path = `/product/${(await made('POST', '/product', book)).id}`
    await made('DELETE', path)
    return { request: ['DELETE', path], change: () => made('PUT', path, { status: 'active' }), seen: path }
  }
  const renamed = async (path: string): Promise<Unchanged> => ({
    request: ['PUT', path, { name: 'Then' }],
    change: () => made('PUT', path, { name: 'Now' }),
    seen: path,
  })
  const provenAgain = async (): Promise<Unchanged> => {
    const path = await newPerson()
    const { id } = await walletOf(path)
    const request = ['POST', `${path}/wallets/verify`, await proofFor(path)] as const
    return { request, change: () => made('DELETE', `${path}/wallets/${id}`), seen: path }
  }
  const gone = async (path: string, change: Unchanged['change'] = async () => undefined): Promise<Unchanged> => {
    await made('DELETE', path)
    return { request: ['DELETE', path], change, seen: null }
  }
  const expired = async (): Promise<Unchanged> => {
    const path = `/checkout/${(await made('POST', '/checkout?type=direct', session)).id}`
    await made('POST', `${path}/expire`)
    return { request: ['POST', `${path}/expire`], change: async () => undefined, seen: path }
  }
  const repeatedOf = async (action: string, undo: (path: string) => Promise<unknown>): Promise<Unchanged> => {
    const path = `/subscriptions/${await subscribe(service.api, { customer_email: person().email })}`
    await made('POST', `${path}/${action}`)
    return { request: ['POST', `${path}/${action}`], change: () => undo(path), seen: path }
  }

  it.each<[string, () => Promise<Unchanged>]>([
    ['the values that a product has', async () => renamed(`/product/${(await made('POST', '/product', book)).id}`)],
    ['the values that a customer has', async () => renamed(await newPerson())],
    ['the values that an endpoint has', async () => renamed(`/webhooks/${(await made('POST', '/webhooks', hook)).id}`)],
    ['a product that is archived, to archive it', archived],
    ['a checkout that is over, to end it', expired],
    ['a wallet that is linked, to prove it', provenAgain],
    ['a paused subscription, to pause it', () => repeatedOf('pause', (path) => made('POST', `${path}/resume`))],
    [
      'a subscription that is to end, to cancel it',
      () => repeatedOf('cancel', (path) => made('PUT', path, { cancel_at_period_end: false })),
    ],
    ['a customer who is deleted, to delete them', async () => gone(await newPerson())],
    ['a deleted endpoint, to delete it', async () => gone(`/webhooks/${(await made('POST', '/webhooks', hook)).id}`)],
    [
      'a wallet that was unlinked, to unlink it',
      async () => {
        const path = await newPerson()
        return gone(`${path}/wallets/${(await walletOf(path)).id}`, () => walletOf(path))
      },
    ],
  ])('repeats the answer and changes nothing when the first request changed nothing: %s', async (_, given) => {
    const [{ request, change, seen }, key] = [await given(), newKey()]
    const [method, path, body] = request
    const answer = { data: await made(method, path, body, key) }
    await change()
    const look = async () => {
      const resource = seen === null ? null : await made('GET', seen)
      // Ledgers may close between two looks.
      return JSON.stringify(resource, (name, value: unknown) => (name === 'synced_at' ? undefined : value))
    }
    const now = await look()
    for (let n = 0; n < 2; n++) {
      const again = await ask(method, path, body, key)
      expect([again.status, again.body]).toEqual([200, answer])
    }
    expect(await look()).toEqual(now)
    const other = await ask(method, path, { ...body, other: true }, key)
    expect([other.status, other.body]).toEqual([422, problem('idempotency_key_reused')])
  })

  /** What was asked about a customer while they lived. */
  type Living = (path: string) => Promise<readonly [method: string, path: string, body?: object]>
  const bought: Living = async (path) => {
    const product = await made('POST', '/product', calls)
    const customer_id = path.split('/')[2]
    const { id } = await made('POST', '/checkout?type=product', { product_id: product.id, customer_id })
    await made('POST', '/sandbox/pay', { checkout_id: id })
    return ['POST', `${path}/credits/${product.id}/consume`, { units: 2 }]
  }
  it.each<[string, Living]>([
    ['invited to the portal', async (path) => ['POST', `${path}/portal`]],
    ['asked to prove an address', async (path) => ['POST', `${path}/wallets`, { address: wallet.keypair.publicKey() }]],
    ['linked to a wallet', async (path) => ['POST', `${path}/wallets/verify`, await proofFor(path)]],
    ['unlinked from a wallet', async (path) => ['DELETE', `${path}/wallets/${(await walletOf(path)).id}`]],
    ['charged with units', bought],
    ['sold to', async (path) => ['POST', '/checkout?type=direct', { ...session, customer_id: path.split('/')[2] }]],
    ['deleted', async (path) => ['DELETE', path]],
  ])('repeats the answer after the deletion of a customer who was %s', async (_, given) => {
    const [path, key] = [await newPerson(), newKey()]
    const request = await given(path)
    const [method, at, body] = request
    const answer = { data: await made(method, at, body, key) }
    await made('DELETE', path)
    for (let n = 0; n < 2; n++) {
      const again = await ask(method, at, body, key)
      expect([again.status, again.body]).toEqual([200, answer])
    }
    expect((await ask(method, at, { ...body, other: true }, key)).status).toBe(422)
    expect((await ask('GET', path)).status).toBe(404)
  })

  it.each<[string, (path: string) => readonly [string, string, object]]>([
    ['changed', (path) => ['PUT', path, { name: 'Now' }]],
    ['asked to stay as they are', (path) => ['PUT', path, { name: 'Then' }]],
  ])('answers without erased data after the deletion of a customer who was %s', async (_, given) => {
    const [path, key] = [await newPerson(), newKey()]
    const request = given(path)
    const answer = await made(...request, key)
    await made('DELETE', path)
    const erased = { email: null, name: null, phone: null, image: null, metadata: {} }
    expect(await made(...request, key)).toEqual({ ...answer, ...erased })
    expect((await ask('PUT', path, { name: 'Other' }, key)).status).toBe(422)
  })

  it('answers a creation of a deleted customer without erased data', async () => {
    const [key, body] = [newKey(), person()]
    const answer = await made('POST', '/customers', body, key)
    await made('DELETE', `/customers/${answer.id}`)
    expect(await made('POST', '/customers', body, key)).toEqual({ ...answer, email: null, name: null, phone: null })
  })

  it('treats a repeated key as a new request after 30 days if nothing was changed under it', async () => {
    const [path, key] = [`/product/${(await made('POST', '/product', book)).id}`, newKey()]
    const again = (name: string) => ask('PUT', path, { name }, key)
    expect((await again('Then')).status).toBe(200)
    await made('POST', '/sandbox/advance', { seconds: 30 * 24 * 60 * 60 - 60 })
    expect([(await again('Then')).status, (await again('Now')).status]).toEqual([200, 422])
    await made('POST', '/sandbox/advance', { seconds: 60 * 60 + 120 })
    expect([(await again('Now')).status, (await again('Then')).status]).toEqual([200, 422])
  })
})
