import { createClient, QuittanceError } from './index.ts'
import { keepsSilent, type Step, says, scriptedServices } from './testing/scripted-service.ts'

const services = scriptedServices()
afterEach(services.closeAll)

const now = '2026-11-20T10:00:00.000Z'
const id = 'cus_7nQe4Cw0XbDq1yLZs5Tt0u'

/** The sandbox's time that the client reads from a response, or its failure. */
const readingOf = async (step: Step): Promise<unknown> => {
  const service = await services.start(step)
  const client = createClient({ baseUrl: service.url, apiKey: 'sk_test_1', maxRetries: 0 })
  return await client.sandbox
    .clock()
    .catch((error: unknown) => (error instanceof QuittanceError ? error.failure : error))
}

describe('an answer', () => {
  it('a response may have undeclared fields', async () => {
    expect(await readingOf(says(200, { data: { now, ledger: 5, weather: 'fair' }, more: 1 }))).toMatchObject({
      now,
      ledger: 5,
    })
  })

  const json = { 'content-type': 'application/json' }
  it.each<[string, Step, string]>([
    ['lacks a field', says(200, { data: { now } }), '"data.ledger" is not a whole number from 0'],
    [
      'has a field of another type',
      says(200, { data: { now: 5, ledger: 5 } }),
      '"data.now" is not an ISO 8601 time in UTC',
    ],
    ['is not in its envelope', says(200, { now, ledger: 5 }), '"data" is not SandboxClock'],
    ['is JSON of something else', says(200, null), '"" is not { data: SandboxClock }'],
    ['is malformed', says(200, '{"data":', json), 'it is not valid JSON'],
    ['is empty', says(200, '', json), 'it is not valid JSON'],
    ['is a page', says(200, '<h1>Welcome</h1>'), 'it is text/html, not JSON'],
    ['is without a type', (response) => response.end('{}'), 'it is nothing, not JSON'],
    ['is larger than any can be', says(200, ' '.repeat(33 * 1024 * 1024), json), 'it is too large'],
  ])('that %s is a failure that says so', async (_, step, reason) => {
    expect(await readingOf(step)).toEqual({ _tag: 'Unreadable', status: 200, reason })
  })

  it('does not follow a redirect', async () => {
    const elsewhere = await services.start(says(200, { data: { now, ledger: 5 } }))
    for (const status of [301, 302, 303, 307, 308]) {
      const redirected = await readingOf(says(status, '', { location: `${elsewhere.url}/sandbox/clock` }))
      expect(redirected).toMatchObject({ _tag: 'Refused', status, code: null })
    }
    expect(elsewhere.received).toEqual([])
  })
})

describe('a credential', () => {
  const sent = async (credential: object, isPublic: boolean) => {
    const service = await services.start(says(404, {}))
    const client = createClient({ baseUrl: service.url, ...credential })
    await (isPublic ? client.payer.status(id) : client.catalogue.assets()).catch(() => null)
    const { 'x-api-key': apiKey, 'x-app-token': appToken } = service.received[0]?.headers ?? {}
    return { apiKey, appToken }
  }

  it("sends the credential with the merchant's calls only", async () => {
    expect(await sent({ apiKey: 'sk_test_1' }, false)).toEqual({ apiKey: 'sk_test_1' })
    expect(await sent({ appToken: 'at_1' }, false)).toEqual({ appToken: 'at_1' })
    expect(await sent({ apiKey: 'sk_test_1' }, true)).toEqual({})
    expect(await sent({}, false)).toEqual({})
  })
})

describe('an address', () => {
  it.each(['', '.', '..', 'a/b', 'a?b', 'a#b', '%2e%2e', 'a b', 'é'])('has no place for %j', async (text) => {
    const service = await services.start(keepsSilent)
    const client = createClient({ baseUrl: service.url })
    const error = await client.customers.wallets.delete(id, text).catch((error: unknown) => error)
    expect(error).toMatchObject({ name: 'QuittanceError', failure: { _tag: 'NotAnId', text } })
    expect(service.received).toEqual([])
  })

  it('a base address may contain a path', async () => {
    const service = await services.start(says(200, { status: 'ok' }))
    await createClient({ baseUrl: `${service.url}/billing/` }).service.health()
    expect(service.received.map(({ request }) => request)).toEqual(['GET /billing/health'])
  })

  it.each(['', 'pay.example.com', 'ftp://pay.example.com', 'https://a:b@pay.example.com', 'https://pay.example.com?a'])(
    'of a service is not %j',
    (baseUrl) => expect(() => createClient({ baseUrl })).toThrow(/^Invalid URL$|baseUrl must be/),
  )
})

it('refuses to send a number that JSON cannot represent', async () => {
  const service = await services.start(keepsSilent)
  const client = createClient({ baseUrl: service.url })
  for (const number of [Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(client.customers.update(id, { metadata: { score: number } })).rejects.toMatchObject({
      name: 'QuittanceError',
      failure: { _tag: 'NotSendable', reason: `${number} cannot be sent` },
    })
  }
  expect(service.received).toEqual([])
})
