import { Asset } from '@stellar/stellar-sdk'
import { type ServiceProcess, startProcess } from './testing/child-process.ts'
import { problem } from './testing/client.ts'
import { eventually } from './testing/eventually.ts'
import { type KillableService, startKillable } from './testing/killable.ts'
import { completed, openSale } from './testing/sale.ts'
import { temporaryDirectory } from './testing/service.ts'
import { fundedWallet, type Wallet } from './testing/wallet.ts'

describe('a refund that two servers receive at once', () => {
  const directory = temporaryDirectory()
  let service: ServiceProcess
  let other: KillableService
  let payer: Wallet
  let usdc: Asset
  beforeAll(async () => {
    service = await startProcess(directory.path)
    other = await startKillable(directory.path, service.facts.api_key)
    const assetId = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
    const [code = '', issuer] = assetId.split(':')
    usdc = new Asset(code, issuer)
    payer = await fundedWallet(service.facts, [assetId])
  })
  afterAll(async () => {
    await other.kill()
    await service.kill()
    directory.remove()
  })

  const balance = async () => (await payer.ledger.getAssetBalance(payer.address, usdc)).balanceEntry?.amount
  const paid = async (): Promise<string> => {
    const sale = await openSale(service, { amount: 5, currency_code: 'USDC' })
    await payer.pay(sale)
    return (await completed(service, sale.id)).payment_id
  }
  const askBoth = (payment_id: string, keys: readonly [string, string]) => {
    const body = JSON.stringify({ payment_id })
    return Promise.all([
      service.api('/refunds', { body: { payment_id }, headers: { 'idempotency-key': keys[0] } }),
      other.ask({ method: 'POST', path: '/refunds', body, key: keys[1] }),
    ])
  }
  const listed = async (payment: string) => (await service.api(`/refunds?payment_id=${payment}`)).body.data.data

  it.each([
    ['under one key', ['one', 'one']],
    ['under two keys', ['two', 'three']],
  ] as const)('makes and pays a refund once when two servers receive it: %s', async (_, keys) => {
    const before = await balance()
    const payment = await paid()
    const answers = await askBoth(payment, keys)
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.id)
    expect(new Set(made).size).toBe(1)
    const told = answers.filter(({ status }) => status !== 200).map(({ body }) => body)
    if (keys[0] !== keys[1]) expect(told).toEqual([problem('refund_exists', 'payment_id')])
    const [refund, ...more] = await eventually(
      () => listed(payment),
      ([first]) => first.status !== 'pending',
    )
    expect({ refund, more }).toMatchObject({ refund: { id: made[0], status: 'succeeded' }, more: [] })
    expect(await balance()).toBe(before)
  })
})
