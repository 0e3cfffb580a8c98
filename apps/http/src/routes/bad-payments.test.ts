import { Keypair } from '@stellar/stellar-sdk'
import { problem } from '../testing/client.ts'
import { completed, ledgerIsIngested, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet, walletOn } from '../testing/wallet.ts'

let service: Service
let wallet: Wallet
beforeAll(async () => {
  service = await startService()
  wallet = await fundedWallet(service.facts)
}, 30_000)
afterAll(() => service.close())

type Sale = Awaited<ReturnType<typeof openSale>>
const submit = (id: string, transaction_xdr: string) =>
  service.anyone(`/pay/${id}/submit`, { body: { transaction_xdr } })
const unpaid = { status: 'open', payment_id: null }
const stateOf = async ({ id }: Sale) => {
  await ledgerIsIngested(service)
  const { status, payment_id } = (await service.api(`/checkout/${id}`)).body.data
  return { status, payment_id }
}

describe('a transaction to relay', () => {
  it('refuses to relay a transaction without a signature of its source account', async () => {
    const sale = await openSale(service)
    const transaction = await wallet.payment(sale)
    transaction.signatures.splice(0)
    transaction.sign(Keypair.random())
    const { status, body } = await submit(sale.id, transaction.toXDR())
    expect({ status, body }).toEqual({ status: 400, body: problem('transaction_refused') })
    expect(body.error).toMatch(/txBadAuth/i)
    expect(await stateOf(sale)).toEqual(unpaid)
  })

  it('refuses to relay a transaction that was signed for another network', async () => {
    const sale = await openSale(service)
    const networkPassphrase = 'Public Global Stellar Network ; September 2015'
    const transaction = await wallet.payment({ ...sale, networkPassphrase })
    const { status, body } = await submit(sale.id, transaction.toXDR())
    expect({ status, body }).toEqual({ status: 400, body: problem('transaction_refused') })
    expect(body.error).toMatch(/txBadAuth/i)
    expect(await stateOf(sale)).toEqual(unpaid)
  })

  it.each([
    ['pays another address', (sale: Sale) => ({ ...sale, destination: wallet.address })],
    ['names another checkout', (sale: Sale) => ({ ...sale, memo: 'chk_0000000000000000000000' })],
    ['names the checkout by its id', (sale: Sale) => ({ ...sale, memo: sale.id })],
    ['names no checkout', (sale: Sale) => ({ ...sale, memo: null })],
    ['could be included for hours', (sale: Sale) => ({ ...sale, lifetimeSeconds: 7_200 })],
  ])('refuses to relay a transaction that %s', async (_, order) => {
    const sale = await openSale(service)
    const { status, body } = await submit(sale.id, (await wallet.payment(order(sale))).toXDR())
    expect({ status, body }).toEqual({ status: 400, body: problem('transaction_refused') })
    expect(await stateOf(sale)).toEqual(unpaid)
  })

  it.each([
    ['no XDR', 'hello'],
    ['empty XDR', 'AAAA'],
    ['cut off', 'AAAAAgAAAAA='],
  ])('refuses to relay a transaction that is %s', async (_, xdr) => {
    const { id } = await openSale(service)
    const { status, body } = await submit(id, xdr)
    expect({ status, body }).toEqual({ status: 400, body: problem('malformed_transaction', 'transaction_xdr') })
  })

  it('accepts a relayed transaction again, and counts it once', async () => {
    const sale = await openSale(service)
    const transaction = (await wallet.payment(sale)).toXDR()
    const [first, second] = [await submit(sale.id, transaction), await submit(sale.id, transaction)]
    expect({ status: second.status, body: second.body }).toEqual({ status: 200, body: first.body })
    const { payment_id } = await completed(service, sale.id)
    const again = await submit(sale.id, transaction)
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body })
    const other = await submit(sale.id, (await wallet.payment(sale)).toXDR())
    expect({ status: other.status, body: other.body }).toEqual({ status: 409, body: problem('checkout_not_open') })
    const { body } = await service.api(`/payment/${payment_id}`)
    expect(body.data).toMatchObject({ amount: '5 XLM', overpaid_amount: null, status: 'confirmed' })
  }, 30_000)

  it('refuses a transaction for another checkout, even after it paid its own', async () => {
    const [paid, other] = [await openSale(service), await openSale(service)]
    const transaction = await wallet.payment(paid)
    await wallet.send(transaction)
    await completed(service, paid.id)
    expect((await submit(other.id, transaction.toXDR())).status).toBe(400)
    expect(await stateOf(other)).toEqual(unpaid)
  }, 30_000)

  it('refuses a transaction whose account has used its sequence number', async () => {
    const sale = await openSale(service)
    const stale = await wallet.payment(sale)
    const used = await wallet.pay({ ...sale, destination: wallet.address, memo: null })
    expect(used.status).toBe('SUCCESS')
    const { status, body } = await submit(sale.id, stale.toXDR())
    expect({ status, body }).toEqual({ status: 409, body: problem('bad_sequence') })
    expect(await stateOf(sale)).toEqual(unpaid)
  }, 30_000)
})

describe('an incoming payment', () => {
  it('counts nothing when the balance of the payer is too low', async () => {
    const sale = await openSale(service, { amount: 1_000_000, currency_code: 'XLM' })
    expect((await wallet.pay(sale)).status).toBe('FAILED')
    expect(await stateOf(sale)).toEqual(unpaid)
    const { status, body } = await service.anyone(`/pay/${sale.id}/status`)
    expect({ status, received: body.data.amount_received }).toEqual({ status: 200, received: '0' })
  }, 30_000)

  it('leaves the checkout open for another payment when one fails after relaying', async () => {
    const sale = await openSale(service, { amount: 9_999, currency_code: 'XLM' })
    const poor = await fundedWallet(service.facts)
    await submit(sale.id, (await poor.payment({ ...sale, amount: '9999.9999999' })).toXDR())
    const pending = (await service.api(`/checkout/${sale.id}`)).body.data.payment_id
    await service.api('/sandbox/advance', { body: { seconds: 600 } })
    expect(await stateOf(sale)).toEqual(unpaid)
    expect((await service.api(`/payment/${pending}`)).body.data).toMatchObject({
      status: 'failed',
      failure_reason: 'transaction_dead',
    })
    const rich = await fundedWallet(service.facts)
    await rich.pay({ ...sale, destination: poor.address, amount: '100', memo: null })
    const { amount_due } = (await service.anyone(`/pay/${sale.id}/quote`)).body.data
    expect((await poor.pay({ ...sale, amount: amount_due })).status).toBe('SUCCESS')
    expect((await completed(service, sale.id)).payment_id).not.toBe(pending)
  }, 60_000)

  it('counts a payment of one stroop, which completes nothing', async () => {
    const sale = await openSale(service)
    await wallet.pay({ ...sale, amount: '0.0000001' })
    expect(await stateOf(sale)).toEqual({ status: 'open', payment_id: expect.stringMatching(/^pay_/) })
    const { body } = await service.anyone(`/pay/${sale.id}/status`)
    expect(body.data).toMatchObject({ amount_received: '0.0000001', amount_due: '4.9999999' })
  }, 30_000)

  it('counts a payment for the checkout in its memo', async () => {
    const [meant, other] = [await openSale(service), await openSale(service)]
    await wallet.pay({ ...meant, memo: other.memo })
    await completed(service, other.id)
    expect(await stateOf(meant)).toEqual(unpaid)
  }, 30_000)

  it.each([
    ['without a memo', null],
    ['with a memo of its own', 'thank you'],
    ['with the memo in another case', 'lower'],
  ])(
    'an incoming payment %s completes nothing',
    async (_, memo) => {
      const sale = await openSale(service)
      await wallet.pay({ ...sale, memo: memo === 'lower' ? sale.memo.toUpperCase() : memo })
      expect(await stateOf(sale)).toEqual(unpaid)
    },
    30_000,
  )

  it('completes no checkout by a payment in another asset', async () => {
    const sale = await openSale(service, { amount: 5, currency_code: 'USDC' })
    await wallet.pay({ ...sale, assetId: 'native', amount: '10' })
    expect(await stateOf(sale)).toEqual(unpaid)
  }, 30_000)

  it('receives nothing from a counterfeit issuer', async () => {
    const sale = await openSale(service, { amount: 5, currency_code: 'USDC' })
    const counterfeit = `USDC:${wallet.address}`
    const failed = await wallet.pay({ ...sale, assetId: counterfeit, amount: '5' })
    expect(failed.status).toBe('FAILED')
    const { body } = await service.anyone(`/pay/${sale.id}/quote`)
    expect(body.data.asset_id).not.toBe(counterfeit)
    expect(await stateOf(sale)).toEqual(unpaid)
  }, 30_000)

  it('receives nothing from an account that does not exist', async () => {
    const sale = await openSale(service)
    const stranger = walletOn(service.facts)
    await expect(stranger.payment(sale)).rejects.toThrow('Account not found')
    expect(await stateOf(sale)).toEqual(unpaid)
  })
})
