import { problem } from '../testing/client.ts'
import { openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet, walletOn } from '../testing/wallet.ts'

let service: Service
let wallet: Wallet
beforeAll(async () => {
  service = await startService()
  wallet = await fundedWallet(service.facts)
}, 30_000)
afterAll(() => service.close())

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const refused = (code: string, param?: string) => ({ status: 400, body: problem(code, param) })
const ask = async (path: string, body?: object) => {
  const { status, body: answer } = await service.anyone(path, body === undefined ? {} : { body })
  return { status, body: answer }
}

describe('a checkout to its payer', () => {
  it('shows a payer amount, destination, memo, deadline and rates', async () => {
    const { id, quote } = await openSale(service, { amount: 12.5, currency_code: 'EUR' })
    const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id
    expect(quote).toEqual({
      checkout_id: id,
      status: 'open',
      destination: expect.stringMatching(/^G[A-Z2-7]{55}$/),
      asset_id: usdc,
      asset_code: 'USDC',
      amount: '13.5',
      currency_code: 'EUR',
      currency_amount: '12.5',
      memo: expect.stringMatching(/^q_[0-9A-Za-z]{22}$/),
      memo_type: 'text',
      network_passphrase: service.facts.network_passphrase,
      terms: null,
      valid_until: isoTime,
      amount_received: '0',
      amount_due: '13.5',
      sep7_uri: expect.stringMatching(/^web\+stellar:pay\?/),
      mandate: null,
      rates: expect.arrayContaining([
        { source: expect.any(String), pair: expect.any(String), rate: expect.any(String), observed_at: isoTime },
      ]),
    })
    expect(Buffer.byteLength(quote.memo)).toBeLessThanOrEqual(28)
    expect((await ask(`/pay/${id}/quote`)).body.data).toEqual(quote)
    // The same fields of its status mean the same.
    const { asset_id, asset_code, currency_code, amount_due, amount_received } = quote
    const shared = { asset_id, asset_code, currency_code, amount_due, amount_received }
    expect((await ask(`/pay/${id}/status`)).body.data).toMatchObject(shared)
  })

  it('shows a payer the status of the checkout, and nothing about the customer', async () => {
    const { id } = await openSale(service, { amount: 5, currency_code: 'XLM', customer_email: 'secret@example.com' })
    expect(await ask(`/pay/${id}/status`)).toEqual({
      status: 200,
      body: {
        data: {
          checkout_id: id,
          status: 'open',
          amount_received: '0',
          amount_due: '5',
          asset_id: 'native',
          asset_code: 'XLM',
          currency_code: 'XLM',
          payment_id: null,
          subscription_id: null,
          transaction_hash: null,
          failure_reason: null,
          late: false,
          redirect_url: null,
          expires_at: isoTime,
          valid_until: isoTime,
          mandate: null,
        },
      },
    })
    for (const path of ['', '/quote', '/status', '/qr.svg']) {
      expect(JSON.stringify((await ask(`/pay/${id}${path}`)).body)).not.toMatch(/secret|cus_/)
    }
  })

  it('serves a page and a QR code for a checkout', async () => {
    const { id } = await openSale(service)
    const page = await service.anyone(`/pay/${id}`)
    expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
    })
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const qr = await service.anyone(`/pay/${id}/qr.svg`)
    expect({ status: qr.status, type: qr.headers.get('content-type') }).toEqual({ status: 200, type: 'image/svg+xml' })
  })

  it('finds no checkout for a payer under an unknown id', async () => {
    for (const path of ['/quote', '/status', '/events', '/qr.svg']) {
      expect(await ask(`/pay/chk_unknown${path}`)).toEqual({ status: 404, body: problem('not_found') })
    }
    const page = await service.anyone('/pay/chk_unknown')
    expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
      status: 404,
      type: 'text/html; charset=utf-8',
    })
  })
})

describe('naming the payer', () => {
  it('lets a payer give an email once, while no customer is named and nothing was received', async () => {
    const { id } = await openSale(service)
    const say = (email: string) => ask(`/pay/${id}/customer`, { email, name: 'Ada' })
    expect(await say('ada@payer.example')).toEqual({ status: 200, body: { data: { checkout_id: id } } })
    expect(await say('eve@payer.example')).toEqual({ status: 409, body: problem('customer_already_attached') })
    const { customer_id } = (await service.api(`/checkout/${id}`)).body.data
    expect((await service.api(`/customers/${customer_id}`)).body.data.email).toBe('ada@payer.example')
  })

  it('reveals nothing about an existing customer to a payer', async () => {
    await service.api('/customers', { body: { email: 'known@payer.example', name: 'Known' } })
    const { id } = await openSale(service)
    const answer = await ask(`/pay/${id}/customer`, { email: 'known@payer.example', name: 'Eve' })
    expect(answer).toEqual({ status: 200, body: { data: { checkout_id: id } } })
    const { customer_id } = (await service.api(`/checkout/${id}`)).body.data
    expect((await service.api(`/customers/${customer_id}`)).body.data.name).toBe('Known')
  })

  it('requires an email of the payer, and creates no customer once the session is over', async () => {
    const { id } = await openSale(service)
    expect(await ask(`/pay/${id}/customer`, { name: 'Ada' })).toEqual(refused('invalid_request', 'email'))
    await service.api(`/checkout/${id}/expire`, { method: 'POST' })
    expect((await ask(`/pay/${id}/customer`, { email: 'late@payer.example' })).status).toBe(409)
    const { body } = await service.api('/customers?limit=100')
    expect(body.data.data.map(({ email }: { email: string }) => email)).not.toContain('late@payer.example')
  })
})

describe('a transaction for the wallet', () => {
  it('builds no transaction for an invalid account, or for one that is not on the ledger', async () => {
    const { id } = await openSale(service)
    const build = (source_account: unknown) => ask(`/pay/${id}/transaction`, { source_account })
    for (const source of [undefined, null, 5, '', 'G123', `${wallet.address}X`, wallet.keypair.secret()]) {
      expect(await build(source)).toEqual(refused('invalid_request', 'source_account'))
    }
    expect(await build(walletOn(service.facts).address)).toEqual({
      status: 409,
      body: problem('source_account_not_found', 'source_account'),
    })
  })

  it('builds no transaction once the checkout is over', async () => {
    const { id } = await openSale(service)
    await service.api(`/checkout/${id}/expire`, { method: 'POST' })
    const answer = await ask(`/pay/${id}/transaction`, { source_account: wallet.address })
    expect(answer).toEqual({ status: 409, body: problem('checkout_not_open') })
    expect((await ask(`/pay/${id}/qr.svg`)).status).toBe(409)
  })
})

describe('the requests of one address', () => {
  it('limits the requests of one address for all payer routes together, and for them alone', async () => {
    const bounded = await startService({ QUITTANCE_PAYER_RATE_LIMIT: '5' })
    try {
      const { id } = await openSale(bounded)
      const paths = ['/status', '/quote', '', '/qr.svg']
      for (const path of paths) expect((await bounded.anyone(`/pay/${id}${path}`)).status).toBe(200)
      const { status, body, headers } = await bounded.anyone(`/pay/${id}/status`)
      expect({ status, body, retryAfter: headers.get('retry-after'), id: headers.get('x-request-id') }).toEqual({
        status: 429,
        body: problem('too_many_requests'),
        retryAfter: expect.stringMatching(/^\d+$/),
        id: body.request_id,
      })
      expect((await bounded.api(`/checkout/${id}`)).status).toBe(200)
    } finally {
      await bounded.close()
    }
  })
})
