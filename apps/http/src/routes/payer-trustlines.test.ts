import { problem } from '../testing/client.ts'
import { eventually } from '../testing/eventually.ts'
import { openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { newPlan } from '../testing/subscriber.ts'
import { fundedWallet, type Wallet, walletOn } from '../testing/wallet.ts'

let service: Service
let wallet: Wallet
beforeAll(async () => {
  service = await startService()
  wallet = await fundedWallet(service.facts)
}, 30_000)
afterAll(() => service.close())

const sell = () => openSale(service, { amount: 5, currency_code: 'USDC' })
const ask = async (path: string, body?: object) => {
  const { status, body: answer } = await service.anyone(path, body === undefined ? {} : { body })
  return { status, body: answer }
}
const wish = (id: string, { address }: Pick<Wallet, 'address'>) =>
  ask(`/pay/${id}/transaction`, { source_account: address, add_trustline: true })
const outcomeOf = (id: string, hash: string) => ask(`/pay/${id}/outcome?transaction_hash=${hash}`)

describe('a wallet that cannot hold the asset asked for', () => {
  it('signs a trustline that the service builds and relays, and can pay then', async () => {
    const { id } = await sell()
    const bare = await fundedWallet(service.facts)
    const built = await wish(id, bare)
    expect(built).toEqual({
      status: 200,
      body: {
        data: {
          transaction_xdr: expect.any(String),
          network_passphrase: service.facts.network_passphrase,
          kind: 'trustline',
          send_max: null,
          sep7_uri: expect.stringMatching(/^web\+stellar:tx\?xdr=/),
          expires_at: expect.any(String),
          mandate: null,
        },
      },
    })
    const signed = bare.sign(built.body.data.transaction_xdr)
    const { status, body } = await ask(`/pay/${id}/submit`, { transaction_xdr: signed })
    const { transaction_hash } = body.data
    expect(status).toBe(200)
    const arrived = await eventually(
      () => outcomeOf(id, transaction_hash),
      ({ body: { data } }) => data.outcome !== 'not_found',
    )
    expect(arrived).toEqual({
      status: 200,
      body: { data: { transaction_hash, outcome: 'succeeded', code: null } },
    })
    expect(await wish(id, bare)).toEqual({
      status: 409,
      body: problem('wallet_trustline_not_needed', 'source_account'),
    })
  })

  it('is told what it lacks', async () => {
    const { id } = await sell()
    const missing = walletOn(service.facts)
    expect(await wish(id, missing)).toEqual({
      status: 409,
      body: problem('source_account_not_found', 'source_account'),
    })
  })

  it('sets up a trustline for a subscription in the same way', async () => {
    const asked = { product_id: await newPlan(service.api), customer_email: 'trust@example.com' }
    const { id } = await openSale(service, asked, 'product')
    expect(await wish(id, wallet)).toMatchObject({ status: 200, body: { data: { kind: 'trustline' } } })
  })

  it('needs none for XLM', async () => {
    const { id } = await openSale(service, { amount: 5, currency_code: 'XLM' })
    expect(await wish(id, wallet)).toEqual({
      status: 409,
      body: problem('wallet_trustline_not_needed', 'source_account'),
    })
  })

  it('gets no trustline for another asset relayed, and none for a checkout that is over', async () => {
    const { id } = await sell()
    const other = await openSale(service, { amount: 5, currency_code: 'XLM' })
    const { transaction_xdr } = (await wish(id, wallet)).body.data
    const signed = { transaction_xdr: wallet.sign(transaction_xdr) }
    expect(await ask(`/pay/${other.id}/submit`, signed)).toEqual({ status: 400, body: problem('transaction_refused') })
    await service.api(`/checkout/${id}/expire`, { method: 'POST' })
    expect(await ask(`/pay/${id}/submit`, signed)).toEqual({ status: 409, body: problem('checkout_not_open') })
    expect(await wish(id, wallet)).toEqual({ status: 409, body: problem('checkout_not_open') })
  })
})

describe('the outcome of a submitted transaction', () => {
  it('says why a payment has failed', async () => {
    const { id, ...sale } = await openSale(service, { amount: 5, currency_code: 'XLM' })
    const failing = await wallet.payment({ ...sale, amount: '900000', assetId: 'native' })
    const { hash, status } = await wallet.send(failing)
    expect(status).toBe('FAILED')
    expect(await outcomeOf(id, hash)).toEqual({
      status: 200,
      body: { data: { transaction_hash: hash, outcome: 'failed', code: 'paymentUnderfunded' } },
    })
  })

  it('is not found while no ledger holds it', async () => {
    const { id } = await sell()
    const hash = 'ab'.repeat(32)
    expect(await outcomeOf(id, hash)).toEqual({
      status: 200,
      body: { data: { transaction_hash: hash, outcome: 'not_found', code: null } },
    })
  })
})
