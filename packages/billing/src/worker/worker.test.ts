import { CurrencyCode, hourMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { rowsOf } from '@quittance/event-store'
import type { Halted } from '@quittance/ledger'
import { runBeside } from '../testing/kept.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { openPlatform } from '../testing/platform.ts'
import { book, command, options } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { createWorker } from './worker.ts'

describe('a worker', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
  })
  afterEach(() => shop.close())
  const cursor = async () => present(await done(shop.services.cursors.of('testnet').load()))
  const directIn = (code: string, amount: string) => {
    const context = command(shop.platform, shop.merchantId)
    return done(shop.billing.checkouts.createDirect(context, { amount, amountCents: null }, code, options()))
  }
  const payInXlm = (memo: string, amount: number) =>
    shop.payer.pay({ to: shop.account, asset: shop.network.xlm.assetId, parts: [units(amount)], memo })

  it('ingests every closed ledger in one step', async () => {
    shop.network.wait(1000)
    await shop.step()
    expect((await cursor()).sequence).toBe(shop.network.sandbox.clock().ledger)
  })

  it('is null for a network that is not configured', () => {
    expect(createWorker(shop.services, 'mainnet', () => undefined)).toBeNull()
  })

  it('writes nothing when it ingests ledgers again', async () => {
    const { id } = await shop.sell()
    await shop.pay(id, [units(4)])
    await shop.pay(id, [units(20)])
    await shop.pay(id, [units(1)], { asset: shop.network.eurc.assetId })
    await shop.pay(null, [units(1)])
    const head = await shop.platform.logEnd()
    const [merchant] = await (await shop.platform.shown()).merchants.all()
    const first = present(merchant?.row.watched[0]).setUpThrough
    await shop.services.cursors.move('testnet', { ...(await cursor()), sequence: first, hash: null })
    await shop.step()
    expect((await cursor()).sequence).toBe(shop.network.sandbox.clock().ledger)
    expect(await shop.platform.logEnd()).toEqual(head)
  })

  it('misses no payment after its cursor was lost', async () => {
    const [one, other] = [await shop.sell(), await shop.sell()]
    await shop.pay(one.id, [units(10)])
    const head = await shop.platform.logEnd()
    shop.payer.pay({ to: shop.account, asset: shop.network.usdc.assetId, parts: [units(10)], memo: other.id })
    shop.network.wait(30_000)
    await runBeside(shop.folder.path, 'rows', rowsOf('DELETE FROM ledger_cursors'))
    await shop.step()
    expect((await cursor()).sequence).toBe(shop.network.sandbox.clock().ledger)
    expect((await shop.checkout(other.id)).status).toBe('completed')
    const [first, second] = [await shop.payments(one.id), await shop.payments(other.id)]
    expect([first.length, second.length, (await shop.platform.logEnd()).events > head.events]).toEqual([1, 1, true])
  })

  it('ingests a payment whose price exceeds what an account can hold', async () => {
    const { billing, merchantId, network, platform } = shop
    const island = {
      ...book(network.xlm.assetId),
      currency: decoded(CurrencyCode, 'KWD'),
      price: { amount: '100000000000', amountCents: null },
    }
    const product = await done(billing.products.create(command(platform, merchantId), island))
    const sale = billing.checkouts.createForProduct(command(platform, merchantId), product.id, options())
    const { id } = await done(sale)
    payInXlm(id, 1)
    await shop.step()
    expect((await cursor()).sequence).toBe(network.sandbox.clock().ledger)
    expect(await shop.payment(id)).toMatchObject({ status: 'pending', amount: '1 XLM' })
  })

  it('reports when the next open session falls due', async () => {
    expect(await shop.worker.nextDue()).toBeNull()
    const first = await directIn('USDC', '1')
    shop.network.wait(hourMs)
    await directIn('USDC', '2')
    expect(await shop.worker.nextDue()).toBe(Date.parse(first.expires_at))
    shop.network.wait(23 * hourMs)
    await shop.step()
    expect(await shop.worker.nextDue()).toBe(Date.parse(first.expires_at) + hourMs)
  })

  it('ends more due sessions in one step than it reads at once', async () => {
    const ids: Array<string> = []
    for (let n = 0; n < 230; n++) ids.push((await directIn('USDC', '1')).id)
    shop.network.wait(24 * hourMs)
    await shop.step()
    const statuses = await Promise.all(ids.map(async (id) => (await shop.checkout(id)).status))
    expect(new Set(statuses)).toEqual(new Set(['expired']))
  })

  it('does not end sessions of another environment', async () => {
    const other = await openPlatform(shop.network, shop.folder.path)
    const services = {
      ...other.services,
      networks: { testnet: present(other.services.networks.testnet), mainnet: other.services.networks.testnet },
    }
    const mainnet = present(createWorker(services, 'mainnet', () => undefined))
    const { id } = await shop.sell()
    shop.network.wait(25 * hourMs)
    await done(mainnet.step)
    expect(await shop.checkout(id)).toMatchObject({ status: 'open' })
    expect(await mainnet.nextDue()).toBeNull()
    await other.close()
  })

  it('records each payment once when two processes work on the same data', async () => {
    const second = await openPlatform(shop.network, shop.folder.path)
    const checkouts = [await shop.sell(), await shop.sell(), await shop.sell()]
    const sent: ReadonlyArray<number> = [10, 4, 30]
    checkouts.forEach(({ id }, index) => {
      const parts = [units(present(sent[index]))]
      shop.payer.pay({ to: shop.account, asset: shop.network.usdc.assetId, parts, memo: id })
    })
    await Promise.all([shop.step(), done(second.worker.step), shop.step(), done(second.worker.step)])
    shop.network.wait(25 * hourMs)
    await Promise.all([shop.step(), done(second.worker.step)])
    const outcomes = await Promise.all(
      checkouts.map(async ({ id }) => [(await shop.payment(id)).status, await shop.exceptionsOf(id)]),
    )
    expect(outcomes).toEqual([
      ['confirmed', []],
      ['failed', [{ kind: 'underpaid', amount: units(4) }]],
      ['confirmed', [{ kind: 'overpaid', amount: units(20) }]],
    ])
    await second.close()
  })

  it('begins a step only after the step before has ended', async () => {
    const { readModels } = shop.services
    let running = 0
    let most = 0
    const due: typeof readModels.payments.due = async function* (environment) {
      running += 1
      most = Math.max(most, running)
      yield* readModels.payments.due(environment, Number.MAX_SAFE_INTEGER)
      running -= 1
    }
    const services = { ...shop.services, readModels: { ...readModels, payments: { ...readModels.payments, due } } }
    const worker = present(createWorker(services, 'testnet', () => undefined))
    for (let n = 0; n < 3; n++) await shop.pay((await shop.sell()).id, [units(1)])
    await Promise.all([done(worker.step), done(worker.step), done(worker.step)])
    expect([most, running]).toEqual([1, 0])
  })

  it('raises one alarm for each reason that halts ingestion', async () => {
    await shop.step()
    const broken = { ...(await cursor()), hash: 'f'.repeat(64) }
    await shop.services.cursors.move('testnet', broken)
    shop.network.wait(1000)
    const first: Halted['_tag'] = 'ChainBroken'
    expect(await refused(shop.worker.step)).toMatchObject({ _tag: first })
    expect(await refused(shop.worker.step)).toMatchObject({ _tag: first })
    expect(shop.platform.alarms).toMatchObject([{ _tag: first }])
    expect(shop.worker.halted()).toMatchObject({ _tag: first })
  })

  it('resumes where an operator moved its cursor, and no running step overwrites that cursor', async () => {
    const { cursors } = shop.services
    await shop.step()
    const before = await cursor()
    await cursors.move('testnet', { ...before, hash: 'f'.repeat(64) })
    shop.network.wait(1000)
    await refused(shop.worker.step)
    await cursors.move('testnet', { ...before, hash: null })
    await shop.step()
    expect((await cursor()).sequence).toBe(shop.network.sandbox.clock().ledger)
    expect(shop.worker.halted()).toBeNull()
    const moved = { ...before, hash: null }
    await cursors.move('testnet', moved)
    expect(await done(cursors.of('testnet').advance(before, { ...before, hash: 'e'.repeat(64) }))).toBe(false)
    expect(await cursor()).toEqual(moved)
  })
})
