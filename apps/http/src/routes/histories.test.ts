import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

let service: Service
let wallet: Wallet
beforeAll(async () => {
  service = await startService()
  const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  wallet = await fundedWallet(service.facts, [usdc])
}, 30_000)
afterAll(() => service.close())

it('a history goes page by page, oldest first, and refuses a cursor of another one', async () => {
  const sale = await openSale(service, { amount: 5, currency_code: 'USDC' })
  await wallet.pay(sale)
  const payment = (await completed(service, sale.id)).payment_id
  const path = `/payment/${payment}/history`
  const whole = (await service.api(`${path}?limit=100`)).body.data
  expect(whole).toMatchObject({ object: 'list', has_more: false, url: path })
  const ids = whole.data.map((each: { readonly id: string }) => each.id)
  expect(whole.data.map((each: { readonly type: string }) => each.type)).toEqual(
    expect.arrayContaining([
      'CheckoutCreated',
      'PaymentOpened',
      'PaymentCredited',
      'PaymentConfirmed',
      'CheckoutCompleted',
    ]),
  )
  const first = (await service.api(`${path}?limit=2`)).body.data
  expect(first).toMatchObject({ has_more: true, data: [{ id: ids[0] }, { id: ids[1] }] })
  const second = (await service.api(`${path}?limit=1&starting_after=${ids[1]}`)).body.data
  expect(second.data).toMatchObject([{ id: ids[2] }])
  const { status, body } = await service.api(`${path}?starting_after=nothing`)
  expect([status, body.code, body.param]).toEqual([400, 'invalid_request', 'starting_after'])
  expect((await service.api('/payment/pay_0350octnOHjxKc0nvAnxpS/history')).status).toBe(404)
  expect((await service.api(`/checkout/${sale.id}/history`)).body.data.data.length).toBeGreaterThan(4)
})
