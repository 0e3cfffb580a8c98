import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
const create = (change: object) => service.api('/product', { body: { ...book, ...change } })

describe('the catalogue', () => {
  it('lists the 170 currencies', async () => {
    const { body } = await service.api('/currencies')
    expect(body.data.length).toBe(170)
    expect(body.data).toEqual(expect.arrayContaining(['EUR', 'JPY', 'USD']))
    expect(new Set(body.data).size).toBe(170)
  })

  it('accepts every currency for products and direct checkouts', async () => {
    const currencies: ReadonlyArray<string> = (await service.api('/currencies')).body.data
    const taken = await Promise.all(
      currencies.map(async (currency_code) => {
        const product = await create({ currency_code, price_amount: 1000 })
        const checkout = await service.api('/checkout?type=direct', { body: { currency_code, amount: 1000 } })
        return [product, checkout].map(({ body: { data } }) => [
          data?.currency_code,
          data?.price_amount ?? data?.amount,
        ])
      }),
    )
    expect(taken).toEqual(currencies.map((code) => Array.from({ length: 2 }, () => [code, 1000])))
  }, 30_000)

  it('lists the assets with their canonical issuers, the default first', async () => {
    const { body } = await service.api('/assets')
    expect(Object.keys(body)).toEqual(['data'])
    expect(body.data.map(({ code }: { code: string }) => code).sort()).toEqual(['EURC', 'USDC', 'XLM'])
    for (const { code, issuer, asset_id } of service.facts.assets) {
      expect(body.data).toContainEqual({
        asset_id,
        code,
        description: expect.stringMatching(/./),
        canonicalIssuer: issuer,
        images: [],
      })
    }
  })
})
