import { connect } from 'node:net'
import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const send = (body: string, contentType = 'application/json') =>
  service.api('/product', { body, headers: { 'content-type': contentType } })
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const product = (more: string) => `{"name":"A","type":"one_time","currency_code":"EUR","price_amount":1${more}}`

/** Writes bytes to the service's port and reads until it closes the connection. */
const talk = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes))
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk.toString()
    })
    socket.on('end', () => resolve(heard))
    socket.on('error', reject)
  })

describe('a body', () => {
  it.each([
    ['malformed', '{"name":', 'malformed_json'],
    ['two objects', '{}{}', 'malformed_json'],
    ['NaN', '{"price_amount":NaN}', 'malformed_json'],
    ['behind a byte order mark', '\ufeff{}', 'malformed_json'],
    ['nested half a million levels deep, and never closed', '['.repeat(500_000), 'malformed_json'],
  ])('refuses a body that is %s', async (_, text, code) => {
    const { status, body } = await send(text)
    expect({ status, body }).toEqual({ status: 400, body: problem(code) })
  })

  it.each([
    ['a key that reaches a prototype', '{"__proto__":{"name":"A"}}', /"__proto__"/],
    ['such a key, deep inside', product(',"metadata":{"a":{"__proto__":1}}'), /"__proto__"/],
    ['100,000 levels', product(`,"metadata":${nested(100_000)}`), /nested too deeply/],
  ])('refuses a body with %s by its own message, although it is valid JSON', async (_, text, sentence) => {
    const { status, body } = await send(text)
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', 'body') })
    expect(body.error).toMatch(sentence)
  })

  it.each([['[]'], ['null'], ['"text"'], ['5'], ['']])('refuses a body that is not an object: %s', async (text) => {
    const { status, body } = await send(text)
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', 'body') })
  })

  it('refuses a missing body', async () => {
    const { status, body } = await service.api('/product', { method: 'POST' })
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', 'body') })
  })

  it('accepts metadata of at most 100 levels', async () => {
    expect((await send(product(`,"metadata":${nested(100)}`))).status).toBe(200)
    const { status, body } = await send(product(`,"metadata":${nested(102)}`))
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_metadata', 'metadata') })
  })

  it.each(['9007199254740993', '1e400', '1e-400'])(
    'refuses a number in metadata that JSON would change: %s',
    async (n) => {
      const metadata = `"metadata":{"a":[${n}]}`
      const refused = { status: 400, body: problem('invalid_metadata', 'metadata') }
      const made = await send(product(`,${metadata}`))
      expect({ status: made.status, body: made.body }).toEqual(refused)
      const sale = `{"amount":5,"currency_code":"XLM",${metadata}}`
      const opened = await service.api('/checkout?type=direct', { body: sale })
      expect({ status: opened.status, body: opened.body }).toEqual(refused)
    },
  )

  it('accepts any JSON text inside metadata, even one that no store keeps unchanged', async () => {
    const metadata = '{"zero":"a\\u0000b","lone":"\\ud800","constructor":"x","toString":1}'
    const { status, body } = await send(product(`,"metadata":${metadata}`))
    expect({ status, metadata: body.data?.metadata }).toEqual({ status: 200, metadata: JSON.parse(metadata) })
    expect((await service.api(`/product/${body.data.id}`)).body).toEqual(body)
  })

  it('accepts a body of at most 1 MiB', async () => {
    const padded = (length: number) => product('').padEnd(length, ' ')
    expect((await send(padded(1024 * 1024))).status).toBe(200)
    const { status, body } = await send(padded(1024 * 1024 + 1))
    expect({ status, body }).toEqual({ status: 413, body: problem('body_too_large') })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/xml',
    'x',
  ])('refuses a body with the content type %s', async (contentType) => {
    const { status, body } = await send(product(''), contentType)
    expect({ status, body }).toEqual({ status: 415, body: problem('unsupported_media_type') })
  })

  it('accepts a content type that names its character set', async () => {
    expect((await send(product(''), 'application/json; charset=utf-8')).status).toBe(200)
  })
})

describe('an address', () => {
  it.each([
    ['nothing is there', 'GET', '/nothing'],
    ['the method is another', 'PATCH', '/product'],
    ['the method is one of WebDAV', 'PROPFIND', '/product'],
    ['the method is OPTIONS', 'OPTIONS', '/product'],
    ['it climbs', 'GET', '/pay/..%2f..%2fetc%2fpasswd/quote'],
    ['the id is very long', 'GET', `/checkout/${'x'.repeat(5_000)}`],
    ['the id holds U+0000', 'GET', '/checkout/chk_%00'],
  ])('answers 404 to an address when %s', async (_, method, path) => {
    const { status, body, headers } = await service.api(path, { method })
    expect({ status, body, id: headers.get('x-request-id') }).toEqual({
      status: 404,
      body: problem('not_found'),
      id: body.request_id,
    })
  })

  it.each(['/checkout/%zz', '/pay/%ff/quote', '/%c0%ae'])('refuses a malformed address: %s', async (path) => {
    const { status, body, headers } = await service.api(path)
    expect({ status, body, id: headers.get('x-request-id') }).toEqual({
      status: 400,
      body: { ...problem('malformed_request'), error: 'The address is malformed: it cannot be percent-decoded' },
      id: body.request_id,
    })
  })

  it('answers no HEAD when the response is a stream', async () => {
    const { id } = (await service.api('/checkout?type=direct', { body: { amount: 5, currency_code: 'XLM' } })).body.data
    expect((await service.anyone(`/pay/${id}/status`, { method: 'HEAD' })).status).toBe(200)
    expect((await service.anyone(`/pay/${id}/events`, { method: 'HEAD' })).status).toBe(404)
  })
})

describe('a query', () => {
  it.each([
    ['__proto__[polluted]=1'],
    ['constructor[prototype][polluted]=1'],
    ['__proto__=1&toString=1&hasOwnProperty=1'],
  ])('a query reaches no prototype: %s', async (query) => {
    const { status, body } = await service.api(`/product?${query}`)
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', 'query') })
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('requests on one connection', () => {
  const headOf = (method: string, more: string) => `${method} /product HTTP/1.1\r\nhost: a\r\n${more}`
  const statusesOf = (heard: string) => [...heard.matchAll(/HTTP\/1.1 (\d+) /g)].map(([, status]) => Number(status))
  const key = () => `x-api-key: ${service.facts.api_key}\r\n`

  it('answers pipelined requests in order', async () => {
    const [made, found] = [product(''), '/checkout/none']
    const post = `${headOf('POST', key())}content-type: application/json\r\ncontent-length: ${made.length}\r\n\r\n${made}`
    const get = `GET ${found} HTTP/1.1\r\nhost: a\r\n${key()}\r\n`
    const last = `${headOf('GET', key())}connection: close\r\n\r\n`
    expect(statusesOf(await talk(post + get + last))).toEqual([200, 404, 200])
  })

  it.each([
    ['two keys', () => headOf('GET', `${key()}${key()}connection: close\r\n\r\n`), 401],
    [
      'a length and chunks',
      () => headOf('POST', 'content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
      400,
    ],
    [
      'dots that climb',
      () => `GET /checkout/%2e%2e/product HTTP/1.1\r\nhost: a\r\n${key()}connection: close\r\n\r\n`,
      404,
    ],
    ['two hosts', () => headOf('GET', `Host: b\r\n${key()}connection: close\r\n\r\n`), 400],
    ['the same host twice', () => headOf('GET', `host: a\r\n${key()}connection: close\r\n\r\n`), 400],
    ['two hosts at no route', () => 'GET /nowhere HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n', 400],
    [
      'two idempotency keys',
      () => {
        const body = product('')
        const keys = 'idempotency-key: a\r\nIdempotency-Key: b\r\n'
        const about = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n`
        return headOf('POST', `${key()}${keys}${about}\r\n${body}`)
      },
      400,
    ],
    ['no host', () => 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['the method TRACE', () => headOf('TRACE', 'connection: close\r\n\r\n'), 404],
  ])('refuses a request once and reads nothing after it, with %s', async (_, bytes, status) => {
    expect(statusesOf(await talk(bytes()))).toEqual([status])
  })
})

describe('input that is not HTTP', () => {
  it.each([
    ['a line of noise', 'hello\r\n\r\n', 400],
    ['a header without end', `GET / HTTP/1.1\r\nx: ${'x'.repeat(100_000)}`, 431],
    ['two lengths', 'POST /product HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}', 400],
  ])('answers input that is not HTTP in the shape of every error: %s', async (_, bytes, status) => {
    const [head = '', body = ''] = (await talk(bytes)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(body)).toEqual(problem('malformed_request'))
  })
})

it('the service still answers after all hostile input', async () => {
  expect((await service.anyone('/health')).body).toEqual({ status: 'ok' })
})
