import { Asset, Keypair, Operation } from '@stellar/stellar-sdk'
import { problem } from '../testing/client.ts'
import { provenDestination } from '../testing/destination.ts'
import { eventually } from '../testing/eventually.ts'
import { completed, ledgerIsIngested, openSale } from '../testing/sale.ts'
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
  await wallet.pay(sale)
  return (await completed(service, sale.id)).payment_id
}
const request = (payment_id: unknown, more: object = {}, key?: string) =>
  service.api('/refunds', {
    body: { payment_id, ...more },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
const paymentOf = async (id: string) => (await service.api(`/payment/${id}`)).body.data

describe('a refund', () => {
  it('creates a pending refund, and shows it by id, in lists and in its payment', async () => {
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

  it('makes one refund under a key, even on two connections at once', async () => {
    const payment = await paid()
    const answers = await Promise.all([1, 2, 3].map(() => request(payment, {}, `refund ${payment}`)))
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.id)
    expect(new Set(made).size).toBe(1)
    expect((await request(payment, {}, `refund ${payment}`)).body.data.id).toBe(made[0])
    expect((await paymentOf(payment)).line_items).toHaveLength(1)
  })
})

describe('a refund that a ledger decides', () => {
  const ended = async (id: string) =>
    (
      await eventually(
        () => service.api(`/refunds/${id}`),
        ({ body }) => body.data.status !== 'pending',
      )
    ).body.data
  const balanceOf = async ({ address }: Wallet): Promise<string | undefined> => {
    const [code = '', issuer] = usdc.split(':')
    return (await wallet.ledger.getAssetBalance(address, new Asset(code, issuer))).balanceEntry?.amount
  }

  it('a refund succeeds when the paying wallet has the amount, and ends the access then', async () => {
    const book = { name: 'Book', type: 'one_time', currency_code: 'USD', price_amount: 5 }
    const product_id = (await service.api('/product', { body: book })).body.data.id
    const buyer = { product_id, customer_email: 'refunded@shop.example' }
    const payer = await fundedWallet(service.facts, [usdc])
    const before = await balanceOf(payer)
    const sale = await openSale(service, buyer, 'product')
    await payer.pay(sale)
    const { payment_id, customer_id } = await completed(service, sale.id)
    expect(await balanceOf(payer)).not.toBe(before)
    const access = async (at = '') =>
      (await service.api(`/customers/${customer_id}/access/${product_id}${at === '' ? '' : `?at=${at}`}`)).body
        .has_access
    expect(await access()).toBe(true)

    const { id } = (await request(payment_id)).body.data
    const refund = await ended(id)
    expect(refund).toMatchObject({ status: 'succeeded', customer_id, failure_reason: null })
    expect(await balanceOf(payer)).toBe(before)
    expect((await payer.ledger.getTransaction(refund.transaction_hash)).status).toBe('SUCCESS')
    expect(await paymentOf(payment_id)).toMatchObject({
      status: 'confirmed',
      refunded: true,
      line_items: [{ id: `ref_${id.slice(3)}`, status: 'confirmed' }],
    })
    const since = Date.parse(refund.succeeded_at)
    const at = (moment: number) => access(new Date(moment).toISOString())
    expect([await access(), await at(since), await at(since - 1)]).toEqual([false, false, true])
    expect(await request(payment_id)).toMatchObject({ status: 409, body: problem('refund_exists', 'payment_id') })
  })

  it('a refund fails when the destination is gone, and allows another refund', async () => {
    const sale = await openSale(service)
    await wallet.pay(sale)
    const { payment_id } = await completed(service, sale.id)
    const receiver = await fundedWallet(service.facts)
    await provenDestination(service, receiver)
    const late = (ledgers: number) => service.api('/sandbox/faults', { body: { include_late: { ledgers } } })
    const merge = await receiver.build([Operation.accountMerge({ destination: wallet.address })])
    // The account is there when it is looked at, and merged before the ledger that holds the payout.
    await late(1)
    await receiver.ledger.sendTransaction(merge)
    await late(3)
    const asked = await request(payment_id, { wallet_address: receiver.address })
    expect(asked).toMatchObject({ status: 200, body: { data: { receiver_wallet_address: receiver.address } } })
    expect(await ended(asked.body.data.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'destination_not_found',
      failure_code: 'paymentNoDestination',
      transaction_hash: null,
    })
    expect(await paymentOf(payment_id)).toMatchObject({ refunded: false, line_items: [{ status: 'failed' }] })

    await service.api('/sandbox/faults', { body: {} })
    const next = await request(payment_id)
    expect(await ended(next.body.data.id)).toMatchObject({ status: 'succeeded', amount: '5 XLM' })
    const { line_items, refunded } = await paymentOf(payment_id)
    expect({ refunded, line_items }).toMatchObject({
      refunded: true,
      line_items: [{ status: 'failed' }, { status: 'confirmed' }],
    })
  })
})

describe('refused refunds', () => {
  it('refuses a refund without a payment, or of an unknown or unconfirmed one', async () => {
    expect(await request(undefined)).toMatchObject({ status: 400, body: problem('invalid_request', 'payment_id') })
    const none = await request('pay_0000000000000000000000')
    expect(none).toMatchObject({ status: 404, body: problem('not_found', 'payment_id') })
    const sale = await openSale(service)
    await wallet.pay({ ...sale, amount: '1' })
    await ledgerIsIngested(service)
    const pending = (await service.api(`/checkout/${sale.id}`)).body.data.payment_id
    expect(await request(pending)).toMatchObject({
      status: 409,
      body: problem('payment_not_confirmed', 'payment_id'),
    })
  })

  it('refuses a refund while another is in progress, and names that one', async () => {
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
  ])('refuses a refund to an account that %s: %s', async (_, code, account) => {
    const refused = await request(await paid(), { wallet_address: await account() })
    expect(refused).toMatchObject({ status: 409, body: problem(code, 'wallet_address') })
  })

  it('refuses a refund to an invalid account', async () => {
    const refused = await request(await paid(), { wallet_address: 'GABC' })
    expect(refused).toMatchObject({ status: 400, body: problem('invalid_request', 'wallet_address') })
  })
})
