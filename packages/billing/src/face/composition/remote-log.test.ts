import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../../testing/platform.ts'
import { book, command, openShop, options, someone } from '../../testing/shop.ts'
import { units, walletsOn } from '../../testing/wallets.ts'

/** A log without notifications: a process finds new events only when it reads. */
const silent = (log: EventStore): EventStore => ({
  ...log,
  subscribe: async function* (_, signal) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  },
})

describe('read models beside a remote log', () => {
  let network: TestNetwork
  let folder: ReturnType<typeof temporaryFolder>
  let opened: Array<TestPlatform>
  const open = async (reading?: (log: EventStore) => EventStore): Promise<TestPlatform> => {
    const platform = await openPlatform(network, folder.path, undefined, 'remote log', reading)
    opened.push(platform)
    return platform
  }
  beforeEach(async () => {
    network = await startNetwork()
    folder = temporaryFolder()
    opened = []
  })
  afterEach(async () => {
    for (const platform of opened) await platform.close()
    await network.close()
    folder.remove()
  })
  const pageOf = (merchantId: string) => ({ merchantId, environment: 'testnet' as const, limit: 100 })
  const productsOf = async ({ billing }: TestPlatform, merchantId: string) =>
    (await billing.products.list(pageOf(merchantId))()).resources

  it('show each write of this process at once, in lists and look-ups', async () => {
    const platform = await open()
    const { billing } = platform
    const merchantId = await openShop(platform)
    const next = () => command(platform, merchantId)
    for (let n = 1; n <= 5; n++) {
      const product = await done(billing.products.create(next(), book()))
      expect((await productsOf(platform, merchantId)).map(({ id }) => id)).toContain(product.id)
      const phone = `+1555010${n}`
      const [customer] = await done(billing.customers.createAll(next(), [someone(null, 'Ada', phone)]))
      expect(await done(billing.customers.resolve(next(), { id: null, email: null, phone }))).toBe(customer?.id)
      const session = await done(billing.checkouts.createForProduct(next(), product.id, options()))
      const { resources } = await billing.checkouts.list(pageOf(merchantId))()
      expect(resources).toContainEqual(session)
    }
  })

  it('hold all that this process has written, for any merchant, once a part of a step has waited for it', async () => {
    const platform = await open()
    const { services, billing } = platform
    const shops = [await openShop(platform), await openShop(platform)]
    for (let n = 1; n <= 5; n++) {
      const made = await Promise.all(
        shops.map((merchantId) => done(billing.products.create(command(platform, merchantId), book()))),
      )
      await services.caughtUp.withAllOwnWrites()
      const shown = (await services.readModels.products.all()).map(({ id }) => id)
      expect(shown).toEqual(expect.arrayContaining(made.map(({ id }) => id)))
    }
  })

  it('accept a key once it is shown, and refuse it once it is revoked', async () => {
    const [platform, other] = [await open(), await open()]
    const merchantId = await openShop(platform)
    for (let n = 1; n <= 5; n++) {
      const { keyId, secret } = await done(platform.billing.merchants.createKey(command(platform, merchantId), []))
      const known = () =>
        Promise.all([platform, other].map(({ billing }) => done(billing.merchants.authenticate(secret))))
      expect(await known()).toEqual([1, 2].map(() => O.some(expect.objectContaining({ merchantId, keyId }))))
      const [key] = (await platform.billing.merchants.keys(merchantId)).filter(({ id }) => id === keyId)
      await done(platform.billing.merchants.revokeKey(command(platform, merchantId), present(key).row.key.keyId))
      expect(await known()).toEqual([O.none, O.none])
    }
  })

  it('answer without unread events, and with them once the log is read', async () => {
    const platform = await open(silent)
    const merchantId = await openShop(platform)
    const product = await done(platform.billing.products.create(command(platform, merchantId), book()))
    expect(await productsOf(platform, merchantId)).toEqual([])
    expect(await platform.services.caughtUp.withLog()).toEqual(E.right(undefined))
    expect(await productsOf(platform, merchantId)).toEqual([product])
  })

  it('are caught up when a process starts', async () => {
    const first = await open(silent)
    const merchantId = await openShop(first)
    const product = await done(first.billing.products.create(command(first, merchantId), book()))
    await first.close()
    opened = []
    expect(await productsOf(await open(silent), merchantId)).toEqual([product])
  })

  it('miss no payment to a merchant that another process has created', async () => {
    const worker = await open(silent)
    await done(worker.worker.step)
    const creator = await open(silent)
    const merchantId = await openShop(creator)
    const { account: to } = await done(creator.services.settlementOf(merchantId, 'testnet'))
    const payer = await walletsOn(network).wallet(1)
    payer.pay({ to, asset: network.usdc.assetId, parts: [units(3)], memo: null })
    await done(worker.worker.step)
    const { exceptions } = await worker.shown()
    expect(await exceptions.all()).toMatchObject([
      { merchantId, row: { details: { kind: 'unmatched', amount: units(3) } } },
    ])
  })

  it('miss no payment for a checkout that another process has created', async () => {
    const [worker, creator] = [await open(silent), await open(silent)]
    const merchantId = await openShop(creator)
    await done(worker.worker.step)
    const price = { amount: '3', amountCents: null }
    const sale = creator.billing.checkouts.createDirect(command(creator, merchantId), price, 'USDC', options())
    const { id } = await done(sale)
    const { memo, destination: to } = await done(creator.billing.payer.quote(id))
    const payer = await walletsOn(network).wallet(1)
    payer.pay({ to, asset: network.usdc.assetId, parts: [units(3)], memo })
    await done(worker.worker.step)
    const scope = { merchantId, environment: 'testnet' as const }
    expect(await done(worker.billing.checkouts.retrieve(scope, id))).toMatchObject({ status: 'completed' })
  })

  it('stop a worker that cannot read the log, at its current ledger', async () => {
    let isGone = false
    const platform = await open((log) => ({
      ...log,
      readAll: async function* (...request) {
        if (isGone) throw new Error('the server is gone')
        yield* log.readAll(...request)
      },
    }))
    await openShop(platform)
    await done(platform.worker.step)
    const cursor = () => done(platform.services.cursors.of('testnet').load())
    const before = await cursor()
    network.wait(1000)
    isGone = true
    expect(await platform.worker.step()).toMatchObject({ _tag: 'Left', left: { _tag: 'StoreUnavailable' } })
    expect(await cursor()).toEqual(before)
    isGone = false
    await done(platform.worker.step)
    expect((await cursor())?.sequence).toBe(network.sandbox.clock().ledger)
  })
})
