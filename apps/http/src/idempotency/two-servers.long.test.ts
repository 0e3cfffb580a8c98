import { type ServiceProcess, startProcess } from '../testing/child-process.ts'
import { type HttpResponse, problem } from '../testing/client.ts'
import { eventually } from '../testing/eventually.ts'
import { type KeyedRequest, type KillableService, startKillable } from '../testing/killable.ts'
import { temporaryDirectory } from '../testing/service.ts'
import { subscribe } from '../testing/subscriber.ts'

const leaseSeconds = 30
const environment = { QUITTANCE_PUBLIC_URL: 'https://shop.example' }
const book = { name: 'Then', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
describe('a key that two servers on one store receive at once', () => {
  const directory = temporaryDirectory()
  let service: ServiceProcess
  let other: KillableService
  let numbered = 0
  beforeAll(async () => {
    service = await startProcess(directory.path, environment)
    other = await startKillable(directory.path, service.facts.api_key, environment)
  })
  afterEach(() => other.goOn())
  afterAll(async () => {
    await other.kill()
    await service.kill()
    directory.remove()
  })

  const send = (method: string, path: string, body?: object): KeyedRequest => ({
    method,
    path,
    body: body === undefined ? undefined : JSON.stringify(body),
    key: `two ${numbered++}`,
  })
  const ask = ({ method, path, body, key }: KeyedRequest): Promise<HttpResponse> =>
    service.api(path, { method, ...(body === undefined ? {} : { body }), headers: { 'idempotency-key': key } })
  /** What another server has written is listed a little later where the log is on a server. */
  const shown = async (name: string, count: number) => {
    const named = async (): Promise<number> =>
      (await service.api('/product?limit=100')).body.data.data.filter((each: typeof book) => each.name === name).length
    expect(await eventually(named, (found) => found >= count)).toBe(count)
  }
  const newProduct = async (): Promise<string> =>
    `/product/${(await service.api('/product', { body: book })).body.data.id}`
  const newPerson = async (): Promise<string> =>
    `/customers/${(await service.api('/customers', { body: { email: `two${numbered++}@example.com`, name: 'Two' } })).body.data.id}`
  const newSubscription = async (): Promise<string> =>
    `/subscriptions/${await subscribe(service.api, { customer_email: `two${numbered++}@example.com` })}`
  const told = ({ status, body }: HttpResponse) => ({ status, body })

  it.each<[string, () => Promise<KeyedRequest>]>([
    ['a new product', async () => send('POST', '/product', book)],
    ['a new name', async () => send('PUT', await newProduct(), { name: 'Now' })],
    ['an invitation', async () => send('POST', `${await newPerson()}/portal`)],
    ['a deletion', async () => send('DELETE', await newPerson())],
    ['a cancellation', async () => send('POST', `${await newSubscription()}/cancel`)],
  ])('makes one server wait for the other, and gives the same answer from both: %s', async (_, given) => {
    const request = await given()
    const working = await other.stopUnbound(request)
    const meanwhile = await ask(request)
    expect(told(meanwhile)).toEqual({ status: 409, body: problem('request_in_progress') })
    const retryAfter = Number(meanwhile.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(leaseSeconds)
    other.goOn()
    const answer = await working.answer
    expect(answer.status).toBe(200)
    expect(told(await ask(request))).toEqual(told(answer))
  })

  it('passes a key to the other server when its lease ends, and the late server gives the same answer', async () => {
    const request = send('POST', '/product', { ...book, name: 'Taken over' })
    const working = await other.stopUnbound(request)
    await service.api('/sandbox/advance', { body: { seconds: leaseSeconds - 2 } })
    expect((await ask(request)).status).toBe(409)
    await service.api('/sandbox/advance', { body: { seconds: 2 } })
    const taken = await ask(request)
    expect(taken.status).toBe(200)
    other.goOn()
    expect(told(await working.answer)).toEqual(told(taken))
    await shown('Taken over', 1)
  })

  it('gives one answer when one server finds nothing to change and the other changes it first', async () => {
    const path = await newProduct()
    const request = send('PUT', path, { name: 'Then' })
    const working = await other.stopUnbound(request)
    await service.api(path, { method: 'PUT', body: { name: 'Now' } })
    const changed = await ask(request)
    expect(changed.status).toBe(200)
    await service.api(path, { method: 'PUT', body: { name: 'Later' } })
    other.goOn()
    expect(told(await working.answer)).toEqual(told(changed))
    expect((await service.api(path)).body.data.name).toBe('Later')
  })

  it('a key takes effect once on two servers, however its requests meet', async () => {
    const requests = Array.from({ length: 20 }, () => send('POST', '/product', { ...book, name: 'At once' }))
    const answers = await Promise.all(requests.flatMap((request) => [ask(request), other.ask(request)]))
    for (const { status, body, headers } of answers) {
      if (status === 200) continue
      expect({ status, body }).toEqual({ status: 409, body: problem('request_in_progress') })
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    for (const [index, request] of requests.entries()) {
      const [here, there] = await Promise.all([ask(request), other.ask(request)])
      const given = answers.slice(2 * index, 2 * index + 2).filter(({ status }) => status === 200)
      expect([here, there, ...given].map(told)).toEqual(Array(2 + given.length).fill(told(here)))
      expect(here.status).toBe(200)
    }
    await shown('At once', 20)
  })
})
