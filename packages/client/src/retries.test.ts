import fc from 'fast-check'
import { createClient, QuittanceError } from './index.ts'
import { manualClock } from './testing/manual-clock.ts'
import { cuts, keepsSilent, type Step, says, scriptedServices } from './testing/scripted-service.ts'

const services = scriptedServices()
afterEach(services.closeAll)

const id = 'cus_7nQe4Cw0XbDq1yLZs5Tt0u'
const deleted = says(200, { data: null })
const broken = says(500, '<h1>Something is broken</h1>')
const busy = (headers = {}): Step => says(429, { error: 'Slow down', code: 'too_many_requests' }, headers)
const inProgress = says(409, { error: 'Wait', code: 'request_in_progress' }, { 'retry-after': '3' })

/** A service and its client on a stopped clock; pauses are not shortened. */
const begin = async (...script: readonly [Step, ...Step[]]) => {
  const service = await services.start(...script)
  const clock = manualClock()
  const client = createClient({ baseUrl: service.url, apiKey: 'sk_test_1', clock, random: () => 0 })
  return { service, clock, client }
}

const failureOf = async (call: Promise<unknown>): Promise<QuittanceError> => {
  const error = await call.then(
    () => null,
    (cause: unknown) => cause,
  )
  if (error instanceof QuittanceError) return error
  throw new Error('the call did not fail with a QuittanceError', { cause: error })
}

describe('a transient failure', () => {
  it.each<[string, Step]>([
    ['the connection is cut', cuts],
    ['a proxy answers with a page', broken],
    [
      'the answer breaks off',
      (response) => response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
    ],
    ['the same request is being worked on', says(409, { error: 'Wait', code: 'request_in_progress' })],
    ['there are too many requests', busy()],
    ['the store is unavailable', says(503, { error: 'Down', code: 'store_unavailable' })],
  ])('is repeated to the byte under the same key when %s', async (_, step) => {
    const world = await begin(step, step, deleted)
    const call = world.client.customers.update(id, { name: 'Ada' }).catch((error: unknown) => error)
    await world.clock.pass(500)
    await world.clock.pass(1000)
    await call
    const [first, ...others] = world.service.received
    expect(first).toMatchObject({ request: `PUT /customers/${id}`, body: '{"name":"Ada"}' })
    const key = first?.headers['idempotency-key']
    expect(key).toMatch(/^[0-9a-f-]{36}$/)
    expect(others.map(({ request, body, headers }) => [request, body, headers['idempotency-key']])).toEqual(
      others.map(() => [`PUT /customers/${id}`, '{"name":"Ada"}', key]),
    )
    expect(others).toHaveLength(2)
  })

  it('gives up after three retries, with the last failure and the key', async () => {
    const world = await begin(broken)
    const call = failureOf(world.client.customers.delete(id, { idempotencyKey: 'mine' }))
    for (const pauseMs of [500, 1000, 2000]) await world.clock.pass(pauseMs)
    const { failure, idempotencyKey } = await call
    expect(failure).toEqual({
      _tag: 'Refused',
      status: 500,
      code: null,
      message: 'The answer was 500',
      param: null,
      requestId: null,
      retryAfterMs: null,
    })
    expect(idempotencyKey).toBe('mine')
    expect(world.service.received.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(4).fill('mine'))
  })

  it.each([
    ['seconds', { 'retry-after': '7' }],
    [
      'a moment by the clock of the service',
      { 'retry-after': 'Wed, 21 Oct 2015 07:28:07 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT' },
    ],
  ])('waits as long as it is asked to, in %s', async (_, headers) => {
    const world = await begin(busy(headers), deleted)
    const call = world.client.customers.delete(id)
    await world.clock.pass(7000)
    expect(await call).toBeNull()
  })

  it('fails at once when the requested pause exceeds the deadline', async () => {
    const world = await begin(busy({ 'retry-after': '120' }))
    expect((await failureOf(world.client.customers.delete(id))).code).toBe('too_many_requests')
  })

  it('waits while the service still works on an earlier attempt', async () => {
    const world = await begin(cuts, inProgress, deleted)
    const call = world.client.customers.delete(id)
    await world.clock.pass(500)
    await world.clock.pass(3000)
    expect(await call).toBeNull()
  })

  it('does not retry a call without a key if it may have had an effect', async () => {
    for (const step of [cuts, broken]) {
      const world = await begin(step)
      await failureOf(world.client.sandbox.advance({ seconds: 1 }))
      await failureOf(world.client.payer.submit(id, 'AAAA'))
      expect(world.service.received.map(({ request, headers }) => [request, headers['idempotency-key']])).toEqual([
        ['POST /sandbox/advance', undefined],
        [`POST /pay/${id}/submit`, undefined],
      ])
    }
  })

  it('retries a call without a key after 429', async () => {
    const world = await begin(busy(), says(200, { data: { transaction_hash: 'ab'.repeat(32) } }))
    const call = world.client.payer.submit(id, 'AAAA')
    await world.clock.pass(500)
    expect(await call).toEqual({ transaction_hash: 'ab'.repeat(32) })
  })
})

describe('a permanent failure', () => {
  it.each([
    [400, 'invalid_request'],
    [401, 'invalid_api_key'],
    [403, 'scope_missing'],
    [404, 'not_found'],
    [409, 'email_taken'],
    [422, 'idempotency_key_reused'],
  ])('is not repeated after %i %s', async (status, code) => {
    const world = await begin(
      says(status, { error: 'No', code, param: 'email', request_id: 'req_1' }, { 'x-request-id': 'req_1' }),
    )
    const { failure } = await failureOf(world.client.customers.update(id, {}))
    expect(failure).toEqual({
      _tag: 'Refused',
      status,
      code,
      message: 'No',
      param: 'email',
      requestId: 'req_1',
      retryAfterMs: null,
    })
    expect(world.service.received).toHaveLength(1)
  })

  it('keeps an unknown error code', async () => {
    const world = await begin(says(409, { error: 'No', code: 'of_tomorrow' }))
    expect((await failureOf(world.client.catalogue.currencies())).code).toBe('of_tomorrow')
  })
})

describe('a call without an answer', () => {
  it('retries after a time-out, and reports the time-out at the end', async () => {
    const world = await begin(keepsSilent)
    const call = failureOf(world.client.catalogue.currencies())
    for (const [attempts, pauseMs] of [500, 1000, 2000].entries()) {
      await world.service.receives(attempts + 1)
      await world.clock.pass(30_000)
      await world.clock.pass(pauseMs)
    }
    await world.service.receives(4)
    // The last attempt gets what remains of the deadline.
    await world.clock.pass(26_500)
    expect((await call).failure).toEqual({ _tag: 'TimedOut', afterMs: 26_500 })
  })

  it('the time-out includes the body of the response', async () => {
    const world = await begin((response) => response.writeHead(200).write('{'), says(200, { data: ['EUR'] }))
    const call = world.client.catalogue.currencies()
    await world.service.receives(1)
    await world.clock.pass(30_000)
    await world.clock.pass(500)
    expect(await call).toEqual(['EUR'])
  })

  it('reports the cause when the connection is refused', async () => {
    const { url } = await services.start(cuts)
    await services.closeAll()
    const { failure } = await failureOf(createClient({ baseUrl: url, maxRetries: 0 }).service.health())
    expect(failure).toEqual({ _tag: 'Unreachable', cause: expect.objectContaining({ message: 'fetch failed' }) })
  })

  it('the caller can abort a call during an attempt or a pause', async () => {
    for (const step of [keepsSilent, broken]) {
      const world = await begin((response, request) => {
        step(response, request)
        setImmediate(() => caller.abort('enough'))
      })
      const caller = new AbortController()
      const { failure } = await failureOf(world.client.catalogue.currencies({ signal: caller.signal }))
      expect(failure).toEqual({ _tag: 'Aborted', reason: 'enough' })
      expect(world.service.received).toHaveLength(1)
    }
  })
})

it('pauses double up to eight seconds, each shortened by up to a half', async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (random) => {
      const clock = manualClock()
      const fetch = async () => Response.json({}, { status: 500 })
      const options = { baseUrl: 'http://service.example', clock, random: () => random, maxRetries: 6, fetch }
      const call = failureOf(createClient(options).catalogue.currencies())
      for (const most of [500, 1000, 2000, 4000, 8000, 8000]) await clock.pass(most * (1 - random / 2))
      expect((await call).failure).toMatchObject({ status: 500 })
    }),
    { numRuns: 30 },
  )
})
