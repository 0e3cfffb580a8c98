import { policyOf, verifyEvidence } from '@quittance/billing/evidence'
import { right } from '@quittance/billing/testing/outcomes'
import { createClient, QuittanceError } from '@quittance/client'
import { clientOf } from '../testing/client.ts'
import { openOperator } from '../testing/operator.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet } from '../testing/wallet.ts'

let service: Service
let payment: string
let stranger: { readonly secret: string }
beforeAll(async () => {
  service = await startService()
  const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  const wallet = await fundedWallet(service.facts, [usdc])
  const sale = await openSale(service, { amount: 5, currency_code: 'USDC' })
  await wallet.pay(sale)
  payment = (await completed(service, sale.id)).payment_id
  const operator = await openOperator(service.dataDir)
  stranger = await operator.createMerchant('Next door')
  await operator.close()
}, 30_000)
afterAll(() => service.close())

const reports = (apiKey = service.facts.api_key) =>
  createClient({ baseUrl: service.url, apiKey, maxRetries: 0 }).reports

describe('evidence', () => {
  it('is a file that others verify by the key that everybody may read', async () => {
    const { file } = await reports().evidence({ payment })
    const keys = await (await fetch(`${service.url}/.well-known/transparency-keys`)).text()
    const policy = right(policyOf(keys.trim().split('\n'), [], 0))
    expect(right(verifyEvidence(file, policy))).toMatchObject({ about: { kind: 'payment', id: payment }, withheld: 0 })
    expect((await service.api(`/evidence?payment=${payment}`)).body).toEqual({ data: { object: 'evidence', file } })
  })

  it('is about one thing, which the merchant has', async () => {
    const one = [400, 'invalid_request']
    const asked = async (query: string, api = service.api) => {
      const { status, body } = await api(`/evidence${query}`)
      return [status, body.code]
    }
    expect(await asked('')).toEqual(one)
    expect(await asked(`?payment=${payment}&subscription=sub_0350octnOHjxKc0nvAnxpS`)).toEqual(one)
    expect(await asked('?subscription=sub_0350octnOHjxKc0nvAnxpS')).toEqual([404, 'not_found'])
    expect(await asked(`?payment=${payment}`, clientOf(service.url, stranger.secret))).toEqual([404, 'not_found'])
    expect(await asked(`?payment=${payment}`, service.anyone)).toEqual([401, 'unauthorized'])
    await expect(reports(stranger.secret).evidence({ payment })).rejects.toThrow(QuittanceError)
  })
})
