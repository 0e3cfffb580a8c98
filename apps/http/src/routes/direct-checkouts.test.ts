import { type CheckoutDesk, openCheckoutDesk } from '../testing/checkout-desk.ts'
import { problem } from '../testing/client.ts'

let desk: CheckoutDesk
beforeAll(async () => {
  desk = await openCheckoutDesk()
})
afterAll(() => desk.service.close())

describe('a direct checkout', () => {
  it.each([
    ['a currency', '{"amount": 12.5, "currency_code": "eur"}', 12.5, 1250, 'EUR'],
    ['cents of a currency', '{"amount_cents": 1250, "currency_code": "EUR"}', 12.5, 1250, 'EUR'],
    ['an asset', '{"amount": 0.0000001, "currency_code": "XLM"}', 0.0000001, 0.00001, 'XLM'],
    ['hundredths of an asset', '{"amount_cents": 0.00001, "currency_code": "xlm"}', 0.0000001, 0.00001, 'XLM'],
    ['an asset with seven decimals', '{"amount": 12.3456789, "currency_code": "USDC"}', 12.3456789, 1234.56789, 'USDC'],
  ])('accepts a direct checkout in %s', async (_, body, amount, amount_cents, currency_code) => {
    const answer = await desk.charge(body)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ product_id: null, amount, amount_cents, currency_code, status: 'open' })
  })

  it('accepts the other fields of a product checkout in a direct one', async () => {
    const given = {
      redirect_url: 'https://shop.example/thanks',
      description: 'For Bob',
      metadata: { order: 2 },
    }
    const person = { customer_email: 'bob@example.com' }
    const { data } = (await desk.charge({ amount: 5, currency_code: 'EUR', ...given, ...person })).body
    const customer = (await desk.service.api(`/customers/${data.customer_id}`)).body.data
    expect({ ...data, email: customer.email }).toMatchObject({ ...given, email: person.customer_email })
    const of = async (more: object) =>
      (await desk.charge({ amount: 5, currency_code: 'EUR', ...more })).body.data.customer_id
    expect(await of({ customer_id: customer.id })).toBe(customer.id)
    expect(await of({ customer_phone: '+1 555 0003' })).toBe(await of({ customer_phone: '+1 (555) 0003' }))
  })

  it('settles a direct checkout in the named asset, by code or full name', async () => {
    for (const asset of desk.service.facts.assets) {
      for (const currency_code of [asset.code, asset.asset_id]) {
        const { body } = await desk.charge({ amount: 1.5, currency_code })
        const quote = await desk.service.anyone(`/pay/${body.data.id}/quote`)
        expect(quote.body.data).toMatchObject({ asset_id: asset.asset_id, amount: '1.5', rates: [] })
      }
    }
  })

  it.each([
    ['no amount', '{"currency_code":"EUR"}', 'amount_missing', 'amount'],
    ['no currency', '{"amount":1}', 'invalid_request', 'currency_code'],
    ['zero', '{"amount":0,"currency_code":"EUR"}', 'amount_not_positive', 'amount'],
    ['zero cents', '{"amount_cents":0,"currency_code":"EUR"}', 'amount_not_positive', 'amount_cents'],
    ['a text', '{"amount":"1","currency_code":"EUR"}', 'invalid_request', 'amount'],
    ['half a yen', '{"amount":0.5,"currency_code":"JPY"}', 'amount_not_whole', 'amount'],
    ['half a cent', '{"amount":0.005,"currency_code":"EUR"}', 'too_many_decimals', 'amount'],
    [
      'spellings that disagree',
      '{"amount":1,"amount_cents":1,"currency_code":"EUR"}',
      'amounts_disagree',
      'amount_cents',
    ],
    ['less than a stroop', '{"amount":0.00000001,"currency_code":"XLM"}', 'too_many_decimals', 'amount'],
    ['more than all stroops', '{"amount":922337203685.4775808,"currency_code":"XLM"}', 'amount_too_large', 'amount'],
    ['1e400', '{"amount":1e400,"currency_code":"XLM"}', 'amount_too_large', 'amount'],
    ['an unknown code', '{"amount":1,"currency_code":"DOGE"}', 'unsupported_asset', 'currency_code'],
    ['the code of a look-alike', '{"amount":1,"currency_code":"USDC:GAAAA"}', 'unsupported_asset', 'currency_code'],
  ])('refuses a direct checkout with %s', async (_, body, code, param) => {
    const answer = await desk.charge(body)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: problem(code, param) })
  })

  it('limits a direct checkout to the room of the settlement account, to the stroop', async () => {
    const { balance } = (await desk.service.api('/settlement')).body.data
    expect(balance).toBe('10000')
    const { body } = await desk.charge('{"amount":922337193685.4775807,"currency_code":"XLM"}')
    expect((await desk.service.anyone(`/pay/${body.data.id}/quote`)).body.data.amount).toBe('922337193685.4775807')
    expect(await desk.charge('{"amount":922337193685.4775808,"currency_code":"XLM"}')).toMatchObject({
      status: 409,
      body: { code: 'merchant_not_ready' },
    })
  })

  it('gives no quote above what an account can hold', async () => {
    const dear = { name: 'A', type: 'one_time', currency_code: 'KWD', price_amount: 1e11, asset_id: 'native' }
    const { id } = (await desk.service.api('/product', { body: dear })).body.data
    const { body } = await desk.sell({ product_id: id })
    const quote = await desk.service.anyone(`/pay/${body.data.id}/quote`)
    expect({ status: quote.status, body: quote.body }).toEqual({ status: 400, body: problem('amount_too_large') })
  })
})
