import { Transaction } from '@stellar/stellar-sdk'
import { problem } from '../testing/client.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

let service: Service
let wallet: Wallet
beforeAll(async () => {
  service = await startService()
  wallet = await fundedWallet(service.facts)
}, 30_000)
afterAll(() => service.close())

/** What everybody reads in a transaction that a node has, also before a ledger holds it. */
const memoIn = (envelopeXdr: string): string => {
  const { memo } = new Transaction(envelopeXdr, service.facts.network_passphrase)
  return memo.value === null ? '' : Buffer.from(memo.value).toString()
}
type PublicRoute = { readonly path: string; readonly body?: object }
/** Every public route of a checkout; `$account` stands for an account. */
const routes: ReadonlyArray<PublicRoute> = [
  { path: '' },
  { path: '/quote' },
  { path: '/status' },
  { path: '/events' },
  { path: '/qr.svg' },
  { path: '/assets?account=$account' },
  { path: '/customer', body: { email: 'thief@example.com' } },
  { path: '/transaction', body: { source_account: '$account' } },
  { path: '/submit', body: { transaction_xdr: 'AAAA' } },
]
const asked = async (name: string, { path, body }: PublicRoute): Promise<number> => {
  const target = `/pay/${name}${path.replace('$account', wallet.address)}`
  const given = body && { body: JSON.parse(JSON.stringify(body).replace('$account', wallet.address)) }
  return (await service.anyone(target, given)).status
}

describe('the ledger', () => {
  it('does not let a stranger who reads the memo of a pending payment take the purchase', async () => {
    for (let attempt = 1; attempt <= 5; attempt++) {
      const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 5, asset_id: 'native' }
      const { data: product } = (await service.api('/product', { body: book })).body
      const sale = await openSale(service, { product_id: product.id }, 'product')
      const from = { body: { source_account: wallet.address } }
      const { transaction_xdr } = (await service.anyone(`/pay/${sale.id}/transaction`, from)).body.data
      const memo = memoIn(transaction_xdr)
      expect(memo).toMatch(/^q_[0-9A-Za-z]{22}$/)
      const theft = await service.anyone(`/pay/${memo}/customer`, { body: { email: 'thief@example.com' } })
      expect({ status: theft.status, body: theft.body }).toEqual({ status: 404, body: problem('not_found') })
      const paid = new Transaction(transaction_xdr, service.facts.network_passphrase)
      paid.sign(wallet.keypair)
      await wallet.send(paid)
      expect(await completed(service, sale.id)).toMatchObject({ status: 'completed', customer_id: null })
    }
    expect((await service.api('/customers?email=thief@example.com')).body.data.data).toEqual([])
  }, 60_000)

  it.each(routes)('gives nothing that opens the public route /pay/{id}$path', async (route) => {
    const sale = await openSale(service)
    expect(await asked(sale.memo, route)).toBe(404)
    // A feed of events has no end.
    if (route.path !== '/events') expect(await asked(sale.id, route)).not.toBe(404)
  })

  it('never shows the id of a checkout: not in its memo, its QR code, its request URI or its transaction', async () => {
    const sale = await openSale(service)
    const { sep7_uri } = sale.quote
    expect(sep7_uri).toContain(sale.memo)
    const built = await service.anyone(`/pay/${sale.id}/transaction`, { body: { source_account: wallet.address } })
    const { transaction_xdr, sep7_uri: signing } = built.body.data
    const qr = await fetch(`${service.url}/pay/${sale.id}/qr.svg`)
    const bytes = Buffer.from(transaction_xdr, 'base64').toString('latin1')
    const shown = [sep7_uri, decodeURIComponent(signing), bytes, await qr.text()]
    for (const text of shown) expect(text).not.toContain(sale.id)
  })

  it('opens no public route by the id of a payment', async () => {
    const sale = await openSale(service)
    await wallet.pay(sale)
    const { payment_id } = await completed(service, sale.id)
    for (const route of routes) expect(await asked(payment_id, route)).toBe(404)
  }, 30_000)

  it('still counts a payment with the id of its checkout as memo, as earlier versions asked for', async () => {
    const sale = await openSale(service)
    await wallet.pay({ ...sale, memo: sale.id })
    expect(await completed(service, sale.id)).toMatchObject({ status: 'completed' })
  }, 30_000)
})
