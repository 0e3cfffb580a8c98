import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Asset } from '@stellar/stellar-sdk'
import { type ServiceProcess, startProcess } from './testing/child-process.ts'
import { problem } from './testing/client.ts'
import { eventually } from './testing/eventually.ts'
import { completed, ledgerIsIngested, openSale } from './testing/sale.ts'
import { temporaryDirectory } from './testing/service.ts'
import { fundedWallet, type Wallet, walletOn } from './testing/wallet.ts'

const quittance = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))
const copied = ['quittance.db', 'vault.db']

describe('a service whose log and vault are put back to a copy', () => {
  const directory = temporaryDirectory()
  let service: ServiceProcess
  let payer: Wallet
  let assetId: string
  beforeAll(async () => {
    service = await startProcess(directory.path)
    assetId = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
    payer = await fundedWallet(service.facts, [assetId])
  })
  afterAll(async () => {
    await service.kill()
    directory.remove()
  })

  const at = (name: string): string => join(directory.path, name)
  const restart = async (meanwhile: () => void): Promise<void> => {
    await service.stop()
    meanwhile()
    service = await startProcess(directory.path)
    payer = walletOn(service.facts, payer.keypair)
  }
  const putBack = (): void => {
    for (const name of copied) {
      for (const rest of ['', '-wal', '-shm']) rmSync(`${at(name)}${rest}`, { force: true })
      for (const rest of ['', '-wal'])
        if (existsSync(`${at(name)}${rest}.copy`)) copyFileSync(`${at(name)}${rest}.copy`, `${at(name)}${rest}`)
    }
  }
  const copy = (): void => {
    for (const name of copied)
      for (const rest of ['', '-wal'])
        if (existsSync(`${at(name)}${rest}`)) copyFileSync(`${at(name)}${rest}`, `${at(name)}${rest}.copy`)
  }
  const balance = async (): Promise<bigint> => {
    const [code = '', issuer] = assetId.split(':')
    const { balanceEntry } = await payer.ledger.getAssetBalance(payer.address, new Asset(code, issuer))
    return BigInt(balanceEntry?.amount ?? 0)
  }
  const refund = (payment_id: string) =>
    service.api('/refunds', { body: { payment_id }, headers: { 'idempotency-key': 'refund-1' } })
  const sell = async (amount: number): Promise<string> => {
    const sale = await openSale(service, { amount, currency_code: 'USDC' })
    await payer.pay(sale)
    return (await completed(service, sale.id)).payment_id
  }

  it('pays neither a return nor a refund again, and shows both as they stand on the ledger', async () => {
    await sell(1_000)
    const payment = await sell(100)
    await restart(copy)
    const start = await balance()
    const destination = (await openSale(service)).destination
    const { hash } = await payer.pay({ destination, assetId, amount: '300', memo: null })
    await eventually(balance, (now) => now === start)
    expect((await refund(payment)).status).toBe(200)
    const before = start + 1_000_000_000n
    await eventually(balance, (now) => now === before)

    await restart(putBack)
    expect((await refund(payment)).body).toEqual(problem('log_rolled_back'))
    await ledgerIsIngested(service)
    const words = [quittance, 'restore', 'accept', '--reason', 'the disk died', '--json']
    const accept = () =>
      promisify(execFile)(process.execPath, words, { env: { ...process.env, QUITTANCE_DATA_DIR: directory.path } })
    const { stdout } = await accept()
    expect(JSON.parse(stdout)).toMatchObject({ accepted: true, forgotten: [{ environment: 'testnet' }] })

    const again = await eventually(
      () => refund(payment),
      ({ body }) => body.code !== 'log_rolled_back',
    )
    expect(again.body).toEqual(problem('refund_exists', 'payment_id'))
    const exceptions = async () => (await service.api('/exceptions')).body.data.data
    const [returned, ...more] = await eventually(exceptions, ([first]) => first?.status === 'resolved')
    expect([returned, more]).toMatchObject([{ transaction_hash: hash, return_status: 'succeeded' }, []])
    const { data } = (
      await eventually(
        () => service.api(`/payment/${payment}`),
        ({ body }) => body.data.refunded,
      )
    ).body
    expect(data).toMatchObject({ refunded: true })
    await ledgerIsIngested(service)
    expect(await balance()).toBe(before)
    const reconcile = [quittance, 'reconcile', '--json']
    const found = await promisify(execFile)(process.execPath, reconcile, {
      env: { ...process.env, QUITTANCE_DATA_DIR: directory.path },
    })
    expect(JSON.parse(found.stdout)).toMatchObject({ ok: true })
  })
})
