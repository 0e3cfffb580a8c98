import { problem } from '../testing/client.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { newPlan } from '../testing/subscriber.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

let service: Service
let wallet: Wallet
beforeAll(async () => {
  service = await startService()
  const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  wallet = await fundedWallet(service.facts, [usdc])
}, 30_000)
afterAll(() => service.close())

const open = async (change: object = {}, product: object = {}) =>
  openSale(service, { product_id: await newPlan(service.api, product), ...change }, 'product')
const post = async (id: string, path: string, body: object) => {
  const { status, body: answer } = await service.anyone(`/pay/${id}/${path}`, { body })
  return { status, body: answer }
}
const offer = (id: string) => post(id, 'transaction', { source_account: wallet.address })

describe('subscribing over HTTP', () => {
  it('requires a customer before a subscription', async () => {
    const { id } = await open()
    expect(await offer(id)).toEqual({ status: 409, body: problem('customer_needed') })
    expect((await post(id, 'customer', { email: 'late@example.com' })).status).toBe(200)
    expect((await offer(id)).status).toBe(200)
  })

  it('requires one signature of a mandate with plain terms', async () => {
    const { id, quote } = await open({ customer_email: 'facts@example.com' }, { trial_days: 7 })
    expect(quote).toMatchObject({ amount: '5', amount_due: '0', sep7_uri: null })
    const { status, body } = await offer(id)
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: {
        transaction_xdr: expect.any(String),
        network_passphrase: service.facts.network_passphrase,
        kind: 'mandate',
        send_max: null,
        sep7_uri: expect.stringMatching(/^web\+stellar:tx\?xdr=/),
        expires_at: expect.any(String),
        mandate: {
          contract_id: expect.stringMatching(/^C[A-Z2-7]{55}$/),
          asset_code: 'USDC',
          first_amount: '0',
          owed: '0',
          cap: '5.5',
          interval: 'month',
          interval_count: 1,
          trial_days: 7,
          trial_ends_at: expect.any(String),
          replaces: null,
        },
      },
    })
  })

  it('creates a payment and a subscription from a signed mandate', async () => {
    const { id } = await open({ customer_email: 'paid@example.com' })
    const { transaction_xdr } = (await offer(id)).body.data
    const { status, body } = await post(id, 'submit', { transaction_xdr: wallet.sign(transaction_xdr) })
    expect(status).toBe(200)
    const { payment_id, subscription_id } = await completed(service, id)
    expect((await service.api(`/payment/${payment_id}`)).body.data).toMatchObject({
      status: 'confirmed',
      amount: '5 USDC',
      transaction_hash: body.data.transaction_hash,
    })
    expect((await service.anyone(`/pay/${id}/status`)).body.data).toMatchObject({
      status: 'completed',
      subscription_id,
    })
  })

  it('relays only the offered transaction of a mandate', async () => {
    const { id, destination, assetId, memo } = await open({ customer_email: 'plain@example.com' })
    const plain = await wallet.payment({ destination, assetId, amount: '5', memo })
    expect(await post(id, 'submit', { transaction_xdr: plain.toXdr() })).toEqual({
      status: 400,
      body: problem('transaction_refused'),
    })
  })

  it('gives the reason when a wallet gets no mandate', async () => {
    const { id } = await open({ customer_email: 'bare@example.com' })
    const bare = await fundedWallet(service.facts)
    expect(await post(id, 'transaction', { source_account: bare.address })).toEqual({
      status: 409,
      body: problem('wallet_trustline_missing', 'source_account'),
    })
  })
})
