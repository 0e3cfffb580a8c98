import { type ServiceProcess, startProcess } from './testing/child-process.ts'
import { eventually } from './testing/eventually.ts'
import { type Markets, startMarkets } from './testing/markets.ts'
import { readinessAt } from './testing/readiness.ts'
import { completed, ledgerIsIngested } from './testing/sale.ts'
import { temporaryDirectory } from './testing/service.ts'
import { fundedWallet } from './testing/wallet.ts'

describe('a service that is killed while a payment waits for a rate', () => {
  const directory = temporaryDirectory()
  let markets: Markets
  let service: ServiceProcess
  beforeAll(async () => {
    markets = await startMarkets(directory.path)
    service = await startProcess(directory.path, { QUITTANCE_RATES: markets.file })
  })
  afterAll(async () => {
    await service.kill()
    await markets.close()
    directory.remove()
  })

  it('continues ingestion after a kill, and records the payment once there are rates again', async () => {
    markets.table.behaves((response) => void response.socket?.destroy())
    const book = { name: 'A', type: 'one_time', currency_code: 'EUR', price_amount: 10, asset_id: 'native' }
    const { data: product } = (await service.api('/product', { body: book })).body
    const { data: sale } = (await service.api('/checkout?type=product', { body: { product_id: product.id } })).body
    const { data: other } = (await service.api('/checkout?type=direct', { body: { amount: 5, currency_code: 'XLM' } }))
      .body
    const { destination, memo } = (await service.anyone(`/pay/${other.id}/quote`)).body.data
    const wallet = await fundedWallet(service.facts)
    await wallet.pay({ destination, assetId: 'native', amount: '50', memo: sale.id })
    await wallet.pay({ destination, assetId: 'native', amount: '5', memo })
    await completed(service, other.id)
    const { body } = await eventually(
      () => readinessAt(service.url),
      (ready) => ready.body.rates.credits_waiting === 1,
    )
    expect(body.rates).toMatchObject({ status: 'degraded', credits_waiting: 1 })

    await service.kill()
    markets.areHonest()
    service = await startProcess(directory.path, { QUITTANCE_RATES: markets.file })
    expect(await completed(service, sale.id)).toMatchObject({ status: 'completed', late: false })
    await ledgerIsIngested(service)
    const { data: payments } = (await service.api('/payment')).body.data
    const paid = payments.map(({ checkout_id, amount, status }: Record<string, string>) => [
      checkout_id,
      amount,
      status,
    ])
    expect(paid).toEqual(expect.arrayContaining([[sale.id, '50 XLM', 'confirmed']]))
    expect(paid).toHaveLength(2)
    expect((await readinessAt(service.url)).body.rates).toEqual({ status: 'ok', troubles: [], credits_waiting: 0 })
  })
})
