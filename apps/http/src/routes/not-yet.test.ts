import { problem } from '../testing/client.ts'
import { ledgerIsWalked, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

let service: Service
let wallet: Wallet
beforeAll(async () => {
  service = await startService()
  wallet = await fundedWallet(service.facts, [])
}, 30_000)
afterAll(() => service.close())

const empty = (url: string) => ({ data: { object: 'list', data: [], has_more: false, url } })

describe('subscriptions, of which there are none yet', () => {
  it('are an empty list of a customer, who has to be named', async () => {
    const url = '/subscriptions'
    expect((await service.api(`${url}?customer_id=cus_none`)).body).toEqual(empty(url))
    expect(await service.api(url)).toMatchObject({ status: 400, body: problem('invalid_request', 'customer_id') })
  })

  it('are not found', async () => {
    const path = '/subscriptions/sub_0000000000000000000000'
    expect((await service.api(path)).status).toBe(404)
    expect((await service.api(path, { method: 'PUT', body: { cancel_at_period_end: true } })).status).toBe(404)
    for (const action of ['cancel', 'pause', 'resume']) {
      expect((await service.api(`${path}/${action}`, { method: 'POST' })).status).toBe(404)
    }
  })
})

describe('exceptions', () => {
  it('are listed, by their status, and retrieved', async () => {
    const sale = await openSale(service)
    const { hash } = await wallet.pay({ ...sale, memo: 'for nobody' })
    await ledgerIsWalked(service)
    const { data } = (await service.api('/exceptions?status=open&limit=1')).body.data
    expect(data).toMatchObject([{ object: 'exception', kind: 'unmatched', transaction_hash: hash, amount: '5 XLM' }])
    expect((await service.api(`/exceptions/${data[0].id}`)).body).toEqual({ data: data[0] })
    expect((await service.api('/exceptions?status=resolved')).body).toEqual(empty('/exceptions'))
    expect((await service.api('/exceptions/exc_0000000000000000000000')).status).toBe(404)
    expect((await service.api('/exceptions?status=lost')).status).toBe(400)
  })
})
