import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { keyPairFromSeed } from '@quittance/ledger'
import { clientOf } from './testing/client.ts'
import { codeTo } from './testing/mails.ts'
import { openOperator } from './testing/operator.ts'
import { completed, openSale } from './testing/sale.ts'
import { type Facts, temporaryDirectory } from './testing/service.ts'
import { outputName, withVerboseProcess } from './testing/verbose-process.ts'
import { fundedWallet } from './testing/wallet.ts'

const ada = {
  email: 'ada.lovelace@shop.example',
  name: 'Augusta Lovelace',
  phone: '+44 20 7946 0958',
  image: 'https://faces.example/countess.png',
  metadata: { likes: 'difference engines' },
}
/** What of it must be in no log and no error, however it was spelled. */
const personal = ['lovelace', 'Augusta', '7946 0958', '79460958', 'countess', 'difference engines']

describe('a day of the service, with everything logged', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  beforeEach(() => {
    directory = temporaryDirectory()
  })
  afterEach(() => directory.remove())

  /** Everything that people do and get wrong: the errors they are told, and the secrets that were on the wire. */
  const day = async (facts: Facts) => {
    const errors: Array<string> = []
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${facts.base_url}${path}`, { redirect: 'manual', ...init })
      const text = await response.text()
      if (response.status >= 400) errors.push(`${response.status} ${text}`)
      return { status: response.status, text, headers: response.headers }
    }
    const json = { 'content-type': 'application/json' }
    const keyed = { ...json, 'x-api-key': facts.api_key }
    const send = (path: string, body: unknown, headers: Readonly<Record<string, string>> = keyed) =>
      ask(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
    const [api, anyone] = [clientOf(facts.base_url, facts.api_key), clientOf(facts.base_url, null)]

    const { data: customer } = JSON.parse((await send('/customers', ada)).text)
    const wallet = await fundedWallet(facts)
    const sale = await openSale({ api, anyone }, { amount: 5, currency_code: 'XLM', customer_id: customer.id })
    await wallet.pay(sale)
    await completed({ api }, sale.id)
    const guest = await openSale({ api, anyone })
    await send(`/pay/${guest.id}/customer`, { ...ada, email: 'b.lovelace@shop.example' }, json)
    await ask(`/customers/${customer.id}`, { headers: keyed })

    const { data: portal } = JSON.parse(
      (await ask(`/customers/${customer.id}/portal`, { method: 'POST', headers: keyed })).text,
    )
    const visit = await ask(`/portal/${portal.token}`)
    const cookie = visit.headers.get('set-cookie')?.split(';')[0] ?? ''
    await ask('/portal', { headers: { cookie } })
    await ask(`/portal/${portal.token}`)

    const entering = { merchant_id: facts.merchant_id, environment: 'testnet' }
    const { data: entry } = JSON.parse((await send('/portal/entry', { ...entering, email: ada.email }, json)).text)
    const code = await codeTo({ api }, ada.email)
    for (const typed of [ada.email, code.slice(1), code, code])
      await send('/portal/entry/verify', { entry_id: entry.id, code: typed }, json)
    await send('/portal/entry', { ...entering, merchant_id: ada.email, email: ada.email }, json)
    await send('/portal/entry', { ...entering, email: `${ada.email}@` }, json)
    await ask(`/portal/entry?merchant=${encodeURIComponent(ada.email)}&environment=testnet`)
    await ask(`/portal/entry/code?entry_id=${code}`)

    const seed = keyPairFromSeed(new Uint8Array(32).fill(9)).secret
    const operator = await openOperator(directory.path)
    const { secret: token } = await operator.createKey(facts.merchant_id, { scopes: ['payments:read'] })
    await operator.close()
    const wrongKey = 'sk_test_wrong-lovelace'
    const email = encodeURIComponent(ada.email)
    await send('/customers', ada)
    await send('/customers', [ada, ada])
    await send('/customers', { ...ada, email: 'lovelace at shop' })
    await send('/customers', { ...ada, phone: ada.phone.repeat(9) })
    await send('/customers', { ...ada, metadata: { likes: { deep: 'difference engines' } } })
    await send('/customers', { [ada.email]: ada.name, __proto: ada.phone })
    await send('/customers', `{"email":"${ada.email}","name":`)
    await send('/customers', `{"__proto__":"${ada.email}"}`)
    await send('/customers', JSON.stringify({ ...ada, name: 'x'.repeat(1_200_000) }))
    await send('/customers', ada, { ...keyed, 'content-type': `text/plain; name=${ada.email}` })
    await send('/customers', ada, { ...json, 'x-api-key': wrongKey })
    await send('/customers', ada, { ...keyed, 'idempotency-key': ada.email.repeat(20) })
    await send('/customers', ada, { ...json, 'x-api-key': token })
    await ask('/payment', { headers: { 'x-app-token': token } })
    await ask('/customers', { headers: { 'x-app-token': token } })
    await ask(`/customers?email=${email}&limit=${email}`, { headers: keyed })
    await ask(`/customers?${email}=1&${email}=2`, { headers: keyed })
    await ask(`/customers?starting_after=${email}&ending_before=${email}`, { headers: keyed })
    await ask(`/checkout?type=${email}`, { headers: keyed })
    await ask(`/customers/${email}`, { headers: keyed })
    await ask(`/customers/${email}/access/${email}`, { headers: keyed })
    await ask(`/nowhere/${email}?name=${email}`)
    await ask(`/%zz/${email}`)
    await ask(`/${email.repeat(40)}`)
    await send(`/customers/${customer.id}/wallets`, { address: seed })
    await send(`/customers/${customer.id}/wallets/verify`, { transaction: seed })
    await send(`/pay/${sale.id}/transaction`, { source_account: seed }, json)
    await send(`/pay/${sale.id}/submit`, { transaction_xdr: seed }, json)
    await send(`/pay/${sale.id}/customer`, ada, json)
    await send('/checkout?type=product', {
      product_id: ada.email,
      customer_email: ada.email,
      customer_phone: ada.phone,
    })
    await send('/checkout?type=direct', { amount: ada.email, currency_code: ada.name, description: ada.phone })
    await send('/product', { name: ada.name, type: ada.email, currency_code: 'EUR', price_amount: 1 })
    await ask(`/customers/${customer.id}`, { method: 'DELETE', headers: keyed })
    await ask('/customers', { method: 'PROPFIND', headers: { ...keyed, from: ada.email } })
    errors.push(await rawly(facts, `GET /${ada.email} HTTP/9\r\nfrom: ${ada.email}\r\n\r\n`))
    errors.push(await rawly(facts, `GET / HTTP/1.1\r\nfrom ${ada.email}\r\n\r\n`))
    const granting = [sale.id, guest.id, cookie.split('=')[1] ?? '']
    return {
      errors,
      secrets: [facts.api_key, token, portal.token, code, code.replace('-', ''), ...granting, seed, wrongKey],
    }
  }

  it('writes no personal data and no secret to the log or to an error response', async () => {
    const { errors, secrets } = await withVerboseProcess(directory.path, day)
    expect(errors.length).toBeGreaterThan(30)
    const log = readFileSync(join(directory.path, outputName), 'utf8')
    const lines = log.split('\n').filter((line) => line.startsWith('{'))
    expect(lines.length).toBeGreaterThan(40)
    // The greeting shows the sandbox's own key, once, before the first request.
    for (const text of [...personal, ...secrets]) {
      const spoken = [...lines, ...errors].filter((line) => line.toLowerCase().includes(text.toLowerCase()))
      expect({ text, spoken }).toEqual({ text, spoken: [] })
    }
    expect(errors.filter((error) => error.startsWith('500'))).toEqual([])
  })
})

/** Sends bytes that are hardly HTTP, and gives what comes back. */
const rawly = ({ base_url }: Facts, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base_url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString('utf8')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.end(text)
  })
