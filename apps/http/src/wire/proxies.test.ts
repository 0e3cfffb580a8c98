import { request } from 'node:http'
import { type Service, startService } from '../testing/service.ts'

const most = 5

/** The status of a payer's request from a loopback address of ours, as through a proxy there. */
const ask = (url: string, from: string, forwarded: Readonly<Record<string, string>> = {}, path = '/pay/chk_x/status') =>
  new Promise<{ readonly status: number; readonly cookie: string }>((resolve, reject) => {
    const sent = request(new URL(path, url), { localAddress: from, headers: forwarded }, (response) => {
      response.resume()
      const cookie = String(response.headers['set-cookie'] ?? '')
      response.once('end', () => resolve({ status: response.statusCode ?? 0, cookie }))
    })
    sent.once('error', reject).end()
  })

const [proxy, inner, stranger] = ['127.0.0.2', '10.1.2.3', '127.0.0.9']

describe('a service behind a trusted proxy', () => {
  let service: Service
  beforeEach(async () => {
    service = await startService({
      QUITTANCE_TRUSTED_PROXIES: `${proxy}, 10.1.0.0/16`,
      QUITTANCE_PAYER_RATE_LIMIT: String(most),
    })
  })
  afterEach(() => service.close())
  const statuses = async (times: number, from: string, chainOf: (n: number) => string) => {
    const found = []
    for (let n = 0; n < times; n++) {
      found.push((await ask(service.url, from, { 'x-forwarded-for': chainOf(n) })).status)
    }
    return found
  }
  const allowed = Array.from({ length: most }, () => 404)

  it('limits each client by its own address', async () => {
    expect(await statuses(most + 1, proxy, () => '203.0.113.1')).toEqual([...allowed, 429])
    expect(await statuses(1, proxy, () => '203.0.113.2')).toEqual([404])
  })

  it('reads a chain from the right, so that a client cannot choose its address', async () => {
    expect(await statuses(most + 1, proxy, (n) => `198.51.100.${n}, 203.0.113.1`)).toEqual([...allowed, 429])
    expect(await statuses(1, proxy, () => `198.51.100.1, 203.0.113.1, ${inner}`)).toEqual([429])
    expect(await statuses(1, proxy, () => '203.0.113.1, 203.0.113.2')).toEqual([404])
  })

  it.each([
    ['203.0.113.7:%', '203.0.113.7'],
    ['[2001:db8::9]:%', '2001:db8::9'],
    ['[2001:db8::%]', '2001:DB8:0:0::1'],
    ['::ffff:203.0.113.%', '203.0.113.1'],
    ['203.0.113.9, 10.1.2.3:%', '203.0.113.9'],
  ])('reads %s as the address in it', async (form, address) => {
    const forms = (n: number) => form.replace('%', form.startsWith('::ffff') ? '1' : `${n + 1}`)
    expect(await statuses(most, proxy, forms)).toEqual(allowed)
    expect(await statuses(1, proxy, () => address)).toEqual([429])
  })

  it.each(['garbage%', 'unknown-%', '203.0.113.00%', '203.0.113.7:port%', '[203.0.113.7]:%', ':%', '_hidden%'])(
    'counts %s, which is no address, as the proxy that sent it',
    async (form) => {
      expect(await statuses(most + 1, proxy, (n) => form.replace('%', `${n}`))).toEqual([...allowed, 429])
      expect(await statuses(1, proxy, () => '203.0.113.1, garbage')).toEqual([429])
      expect(await statuses(1, proxy, () => `garbage, ${inner}`)).toEqual([404])
    },
  )

  it('ignores what others than the proxy forward', async () => {
    expect(await statuses(most + 1, stranger, (n) => `203.0.113.${n}`)).toEqual([...allowed, 429])
    expect(await statuses(1, '127.0.0.10', () => stranger)).toEqual([404])
  })

  it('secures the cookie of a portal that a client reaches by https through the proxy alone', async () => {
    const customer = { email: 'ada@proxies.example', name: 'Ada' }
    const { id } = (await service.api('/customers', { body: customer })).body.data
    const enter = async (from: string, protocol: string) => {
      const { token } = (await service.api(`/customers/${id}/portal`, { method: 'POST' })).body.data
      return (await ask(service.url, from, { 'x-forwarded-proto': protocol }, `/portal/${token}`)).cookie
    }
    expect(await enter(proxy, 'https')).toContain('; Secure')
    expect(await enter(proxy, 'http')).not.toContain('Secure')
    expect(await enter(stranger, 'https')).not.toContain('Secure')
  })
})
