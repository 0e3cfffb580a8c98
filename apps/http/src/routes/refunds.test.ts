import { Keypair } from '@stellar/stellar-sdk'
import { problem } from '../testing/client.ts'
import { completed, ledgerIsWalked, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

const many = Keypair.random()
let service: Service
let wallet: Wallet
let usdc: string
beforeAll(async () => {
  service = await startService({ QUITTANCE_OMNIBUS_ACCOUNTS: many.publicKey() })
  usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  wallet = await fundedWallet(service.facts, [usdc])
}, 30_000)
afterAll(() => service.close())

/** The id of a payment of 5 USDC, and of what it is for. */
const paid = async (): Promise<string> => {
  const sale = await openSale(service, { amount: 5, currency_code: 'USDC' })
  await wallet.pay({ ...sale, memo: sale.id })
  return (await completed(service, sale.id)).payment_id
}
const request = (payment_id: unknown, more: object = {}, key?: string) =>
  service.api('/refunds', {
    body: { payment_id, ...more },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
const paymentOf = async (id: string) => (await service.api(`/payment/${id}`)).body.data

describe('a refund', () => {
  it('is pending once it is asked for, and is found by its id, in the lists and in its payment', async () => {
    const payment = await paid()
    const asked = await request(payment, { reason: 'damaged', metadata: { order: '1042' } })
    expect(asked).toMatchObject({
      status: 200,
      body: {
        data: {
          object: 'refund',
          payment_id: payment,
          customer_id: null,
          amount: '5 USDC',
          asset_id: usdc,
          status: 'pending',
          reason: 'damaged',
          receiver_wallet_address: wallet.address,
          metadata: { order: '1042' },
        },
      },
    })
    const { id } = asked.body.data
    expect((await service.api(`/refunds/${id}`)).body.data).toMatchObject({ id, payment_id: payment })
    const { line_items } = await paymentOf(payment)
    expect(line_items).toMatchObject([{ id: `ref_${id.slice(3)}`, amount: '5 USDC', reason: 'damaged' }])
    const other = (await request(await paid())).body.data.id
    const idsIn = async (query: string) =>
      (await service.api(`/refunds?${query}`)).body.data.data.map((each: { readonly id: string }) => each.id)
    expect(await idsIn(`payment_id=${payment}`)).toEqual([id])
    expect(await idsIn('payment_id=pay_none')).toEqual([])
    expect(await idsIn('limit=1')).toEqual([other])
    expect(await idsIn(`limit=1&starting_after=${other}`)).toEqual([id])
    expect(await idsIn(`created[gte]=${new Date(0).toISOString()}&ending_before=${id}`)).toEqual([other])
    expect((await service.api('/refunds?status=confirmed')).status).toBe(400)
    expect((await service.api('/refunds/rf_0000000000000000000000')).status).toBe(404)
  })

  it('is one under a key, also when it is asked for on two connections at once', async () => {
    const payment = await paid()
    const answers = await Promise.all([1, 2, 3].map(() => request(payment, {}, `refund ${payment}`)))
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.id)
    expect(new Set(made).size).toBe(1)
    expect((await request(payment, {}, `refund ${payment}`)).body.data.id).toBe(made[0])
    expect((await paymentOf(payment)).line_items).toHaveLength(1)
  })
})

describe('a refund is refused', () => {
  it('for a payment that is not named, not there, or not confirmed', async () => {
    expect(await request(undefined)).toMatchObject({ status: 400, body: problem('invalid_request', 'payment_id') })
    const none = await request('pay_0000000000000000000000')
    expect(none).toMatchObject({ status: 404, body: problem('not_found', 'payment_id') })
    const sale = await openSale(service)
    await wallet.pay({ ...sale, amount: '1', memo: sale.id })
    await ledgerIsWalked(service)
    const pending = (await service.api(`/checkout/${sale.id}`)).body.data.payment_id
    expect(await request(pending)).toMatchObject({
      status: 409,
      body: problem('payment_not_confirmed', 'payment_id'),
    })
  })

  it('while another is under way, and told which', async () => {
    const payment = await paid()
    const { id } = (await request(payment)).body.data
    const again = await request(payment)
    expect(again).toMatchObject({ status: 409, body: problem('refund_exists', 'payment_id') })
    expect(again.body.error).toContain(id)
  })

  it.each<readonly [string, string, () => Promise<string>]>([
    ['does not exist', 'destination_not_found', async () => Keypair.random().publicKey()],
    ['does not trust the asset', 'destination_no_trustline', async () => (await fundedWallet(service.facts)).address],
    ['is on the list of accounts of many', 'destination_is_omnibus', async () => many.publicKey()],
    ['is the one that pays', 'destination_is_own', async () => (await openSale(service)).destination],
  ])('to an account that %s: %s', async (_, code, account) => {
    const refused = await request(await paid(), { wallet_address: await account() })
    expect(refused).toMatchObject({ status: 409, body: problem(code, 'wallet_address') })
  })

  it('to what is no account', async () => {
    const refused = await request(await paid(), { wallet_address: 'GABC' })
    expect(refused).toMatchObject({ status: 400, body: problem('invalid_request', 'wallet_address') })
  })
})
