import { createServer } from 'node:http'
import { startTrap } from '../../../testing/delivery/trap.ts'
import { addressRanges } from './address-ranges.ts'

const answering =
  (status: number) => (_: unknown, response: { writeHead: (s: number) => { end: (t: string) => void } }) =>
    response.writeHead(status).end('seen')

describe('an attempt', () => {
  it('posts the body of a webhook once, with the host name of the endpoint', async () => {
    const seen: Array<unknown> = []
    const trap = await startTrap((request, response) => {
      const chunks: Array<Buffer> = []
      request
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => {
          const { method, url, headers } = request
          seen.push({ method, url, host: headers.host, body: Buffer.concat(chunks).toString() })
          response.end('thanks')
        })
    })
    expect(await trap.post('https://shop.example:PORT/hooks?a=b')).toEqual({
      _tag: 'Answered',
      status: 200,
      body: 'thanks',
    })
    expect(seen).toEqual([{ method: 'POST', url: '/hooks?a=b', host: `shop.example:${trap.port}`, body: '{}' }])
    await trap.stop()
  })

  it.each([200, 204, 301, 400, 410, 500])('reports the status that an endpoint answers: %i', async (status) => {
    const trap = await startTrap(answering(status))
    expect(await trap.post('https://shop.example:PORT/')).toMatchObject({ _tag: 'Answered', status })
    await trap.stop()
  })

  it('ignores the proxy settings of the machine when it sends webhooks', async () => {
    const asked: Array<string> = []
    const proxy = createServer((request) => asked.push(`${request.url}`)).on('connect', ({ url }) =>
      asked.push(`${url}`),
    )
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
    const address = proxy.address()
    const port = address === null || typeof address === 'string' ? 0 : address.port
    const names = [
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'ALL_PROXY',
      'http_proxy',
      'https_proxy',
      'all_proxy',
      'NODE_USE_ENV_PROXY',
    ]
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${port}`
    const trap = await startTrap(answering(200))
    expect(await trap.post('https://shop.example:PORT/')).toMatchObject({ _tag: 'Answered', status: 200 })
    expect(asked).toEqual([])
    await trap.stop()
    names.forEach((name, n) => {
      if (before[n] === undefined) delete process.env[name]
      else process.env[name] = before[n]
    })
    await new Promise((closed) => proxy.close(closed))
  })

  it.each(['127.0.0.1', 'localhost', '127.1'])('sends webhooks to %s over http in the sandbox', async (host) => {
    const shop = createServer(answering(200))
    await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening))
    const address = shop.address()
    const port = address === null || typeof address === 'string' ? 0 : address.port
    const trap = await startTrap(answering(500))
    expect(await trap.post(`http://${host}:${port}/`, true)).toEqual({ _tag: 'Answered', status: 200, body: 'seen' })
    expect(await trap.post(`http://${host}:${port}/`, false)).toEqual({ _tag: 'AddressRefused' })
    await trap.stop()
    shop.closeAllConnections()
    await new Promise((closed) => shop.close(closed))
  })
})

describe('ranges that an operator allows', () => {
  it.each([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['10.0.0.7', '10.0.0.7', true],
    ['10.0.0.7', '10.0.0.8', false],
    ['192.168.0.0/16, fd00:1::/64', 'fd00:1::2', true],
    ['192.168.0.0/16, fd00:1::/64', 'fd00:2::2', false],
    ['fd00:1::1', 'fd00:1::1', true],
    ['0.0.0.0/0', '::1', false],
    ['10.0.0.0/8', 'no address', false],
  ])('the ranges %s hold %s: %s', (text, address, isHeld) => expect(addressRanges(text)?.holds(address)).toBe(isHeld))
  it.each(['', 'localhost', '10.0.0.0/33', '10.1', '10.0.0.0/8,', '10.0.0.0/8 192.168.0.0/16', '0x7f.0.0.1'])(
    'rejects malformed address ranges: %j',
    (text) => expect(addressRanges(text)).toBeNull(),
  )
})
