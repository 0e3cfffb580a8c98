import { hourMs } from '@quittance/domain'
import { dyingAfter } from '../testing/failing-stores.ts'
import { startNetwork, type TestNetwork } from '../testing/network.ts'
import { done, present, right } from '../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../testing/platform.ts'
import { survived } from '../testing/refunds.ts'
import { book, command, openShop, options } from '../testing/shop.ts'
import { provenLog } from '../testing/stores.ts'
import { units, type Wallet, walletsOn } from '../testing/wallets.ts'

const mostAppends = 40

describe('a dying process', () => {
  let network: TestNetwork
  let folder: ReturnType<typeof temporaryFolder>
  let sound: TestPlatform
  let merchantId: string
  let payer: Wallet
  let emails = 0
  beforeAll(async () => {
    network = await startNetwork()
    folder = temporaryFolder()
    sound = await openPlatform(network, folder.path)
    merchantId = await openShop(sound)
    payer = await walletsOn(network).wallet(1)
  })
  afterAll(async () => {
    await sound.close()
    await network.close()
    folder.remove()
  })

  const open = async ({ services }: TestPlatform, key: string) =>
    right(await services.claims.open({ merchantId, environment: 'testnet', key, requestHash: key }))
  const sell = async (process: TestPlatform, productId: string, email: string, key: string) => {
    const { commandId, at, alongside, isFirst } = await open(process, key)
    const context = command(process, merchantId, {
      commandId,
      at,
      alongside,
      ...(isFirst ? { isFirstRun: true as const } : {}),
    })
    const wanted = options({ id: null, email, phone: null })
    return done(process.billing.checkouts.createForProduct(context, productId, wanted))
  }
  const newProduct = async () => (await done(sound.billing.products.create(command(sound, merchantId), book()))).id
  const scope = () => ({ merchantId, environment: 'testnet' as const })
  const settlement = async () => (await done(sound.services.settlementOf(merchantId, 'testnet'))).account
  const everyEvent = async () => {
    const events: Array<{ id: string; stream: string; type: string }> = []
    for await (const { id, stream, type } of sound.log.readAll(0n)) events.push({ id, stream, type })
    return events
  }
  const typesOf = async (stream: string) =>
    (await everyEvent()).filter((each) => each.stream === stream).map(({ type }) => type)

  it('a retry completes a keyed request with the same ids when a process dies after any of its appends', async () => {
    const productId = await newProduct()
    let deaths = 0
    for (; deaths < mostAppends; deaths++) {
      const [key, email] = [`request-${deaths}`, `buyer-${emails++}@example.org`]
      await sound.shown()
      const before = (await sound.billing.customers.list({ ...scope(), limit: 100 })()).resources.length
      const dying = await openPlatform(network, folder.path, dyingAfter(deaths + 1))
      const lived = await survived(sell(dying, productId, email, key))
      await dying.close()
      network.wait(31_000)
      const session = await sell(sound, productId, email, key)
      expect(await done(sound.billing.checkouts.retrieve(scope(), session.id))).toEqual(session)
      await sound.shown()
      expect((await sound.billing.customers.list({ ...scope(), limit: 100 })()).resources).toHaveLength(before + 1)
      expect(await typesOf(`customer-${present(session.customer_id)}`)).toEqual(['CustomerCreated'])
      if (lived) break
    }
    expect(deaths).toBe(3)
  })

  /** A sale from its payment on. `wait` moves the network's clock. */
  type Story = ReadonlyArray<{ readonly pay: number } | { readonly wait: number }>
  const partThenRest: Story = [{ pay: 4 }, { pay: 20 }]
  const onlyPart: Story = [{ pay: 4 }, { wait: 24 * hourMs }]
  const late: Story = [{ wait: 24 * hourMs }, { wait: 1000 }, { pay: 10 }]

  it.each([
    ['is paid in two parts, the second too large', partThenRest, 'completed', ['overpaid']],
    ['is underpaid at the deadline', onlyPart, 'failed', ['underpaid']],
    ['is paid late', late, 'completed', []],
  ])('completes a sale that %s when a process dies after any append', async (_, story, ends, kinds) => {
    const [productId, to] = [await newProduct(), await settlement()]
    let deaths = 0
    for (; deaths < mostAppends; deaths++) {
      const { id, customer_id } = await sell(sound, productId, `buyer-${emails++}@example.org`, `${ends}-${emails}`)
      await done(sound.worker.step)
      let isAlive = true
      const dying = await openPlatform(network, folder.path, dyingAfter(deaths + 1))
      for (const act of story) {
        if ('wait' in act) network.wait(act.wait)
        else payer.pay({ to, asset: network.usdc.assetId, parts: [units(act.pay)], memo: id })
        isAlive &&= await survived(done(dying.worker.step))
        if (!isAlive) await done((await openNext()).worker.step)
      }
      await dying.close()

      const checkout = await done(sound.billing.checkouts.retrieve(scope(), id))
      const { exceptions } = await sound.shown()
      const { resources } = await sound.billing.payments.list({ ...scope(), limit: 100 })()
      const payments = resources.filter((each) => each.checkout_id === id)
      expect(checkout).toMatchObject({ status: ends, payment_id: payments[0]?.id })
      expect(payments.map(({ status }) => status)).toEqual([ends === 'completed' ? 'confirmed' : 'failed'])
      const access = await done(sound.billing.access(scope(), present(customer_id), productId))
      expect(access.has_access).toBe(ends === 'completed')
      const left = (await exceptions.all()).filter(({ row }) => row.details.checkoutId === id)
      expect(left.map(({ row }) => row.details.kind)).toEqual(kinds)
      if (isAlive) break
    }
    expect(deaths).toBeGreaterThan(3)
    expect(deaths).toBeLessThan(mostAppends)
    const ids = (await everyEvent()).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await provenLog(folder.path)).toMatchObject({ ok: true })
  })

  it('a live worker completes the end of a session within the hour when the requesting process dies', async () => {
    const [productId, to] = [await newProduct(), await settlement()]
    const { id } = await sell(sound, productId, `buyer-${emails++}@example.org`, 'ended')
    payer.pay({ to, asset: network.usdc.assetId, parts: [units(4)], memo: id })
    await done(sound.worker.step)
    const dying = await openPlatform(network, folder.path, dyingAfter(1))
    expect(await survived(done(dying.billing.checkouts.expire(command(dying, merchantId), id)))).toBe(false)
    await dying.close()
    network.wait(hourMs)
    await done(sound.worker.step)
    const { payment_id, ...session } = await done(sound.billing.checkouts.retrieve(scope(), id))
    expect(session).toMatchObject({ status: 'failed', failure_reason: 'underpaid' })
    const payment = await done(sound.billing.payments.retrieve(scope(), present(payment_id)))
    expect(payment).toMatchObject({ status: 'failed', failure_reason: 'underpaid' })
  })

  let next: TestPlatform | null = null
  /** The process that is started in place of the dead one. */
  const openNext = async (): Promise<TestPlatform> => {
    await next?.close()
    next = await openPlatform(network, folder.path)
    return next
  }
  afterEach(async () => {
    await next?.close()
    next = null
  })
})
