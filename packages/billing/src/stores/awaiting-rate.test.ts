import { type AssetId, hourMs, minuteMs } from '@quittance/domain'
import type { RateUnavailable } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { dyingAfter, ProcessDied } from '../testing/failing-stores.ts'
import { done, present } from '../testing/outcomes.ts'
import { openPlatform } from '../testing/platform.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { createWorker } from '../worker/worker.ts'
import { awaitingRate } from './awaiting-rate.ts'
import { openStoreDatabase } from './testing/store-database.ts'

const mostAppends = 40

describe('an incoming payment without a rate', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
  })
  afterEach(() => shop.close())
  const payIn = (assetId: AssetId, memo: string, amount: number) =>
    shop.payer.pay({ to: shop.account, asset: assetId, parts: [units(amount)], memo })
  const payInXlm = (memo: string, amount: number) => payIn(shop.network.xlm.assetId, memo, amount)
  const waiting = async () => (await shop.services.awaitingRate.of('testnet')).map(({ sessionId }) => sessionId)
  const outcome = async (id: string) => {
    const { status, failure_reason } = await shop.checkout(id)
    return { status, failure_reason, exceptions: await shop.exceptionsOf(id) }
  }
  const completed = { status: 'completed', failure_reason: null, exceptions: [] }

  it('waits, while ingestion goes on and all others are paid', async () => {
    const [other, unquoted] = [await shop.sell(), await shop.sell(shop.network.xlm.assetId)]
    await done(shop.billing.payer.quote(other.id))
    shop.network.rates.isOut = true
    payInXlm(unquoted.id, 40)
    payIn(shop.network.usdc.assetId, other.id, 10)
    await shop.step()
    const cursor = present(await done(shop.services.cursors.of('testnet').load()))
    expect(cursor.sequence).toBe(shop.network.sandbox.clock().ledger)
    expect([await outcome(other.id), await waiting()]).toEqual([completed, [unquoted.id]])
    expect(await shop.payments(unquoted.id)).toEqual([])
    await shop.step()
    expect(await waiting()).toEqual([unquoted.id])
    shop.network.rates.isOut = false
    await shop.step()
    expect([await outcome(unquoted.id), await waiting()]).toEqual([completed, []])
  })

  it('is put down with the others of its ledger in one step, or not at all', async () => {
    const { id } = await shop.sell(shop.network.xlm.assetId)
    shop.network.rates.isOut = true
    payInXlm(id, 3)
    payInXlm(id, 4)
    await shop.step()
    const [first, second] = await shop.services.awaitingRate.of('testnet')
    const database = await openStoreDatabase()
    const list = awaitingRate(database.sql)
    const dying = {
      ...present(second),
      get incoming(): never {
        throw new ProcessDied()
      },
    }
    await expect(list.addAll([present(first), dying])).rejects.toThrow(ProcessDied)
    expect(await list.of('testnet')).toEqual([])
    await list.addAll([present(first), present(second)])
    expect(await list.of('testnet')).toEqual([first, second])
    await database.close()
  })

  it('keeps its transaction from being recorded as dead', async () => {
    const { id } = await shop.sell(shop.network.xlm.assetId)
    const maxTime = Math.floor(shop.network.now() / 1000) + 300
    const sending = {
      to: shop.account,
      asset: shop.network.xlm.assetId,
      parts: [units(40)],
      memo: await shop.memoOf(id),
    }
    await done(shop.billing.payer.submit(id, shop.payer.signedPayment(sending, maxTime)))
    shop.network.rates.isOut = true
    shop.network.wait(1000)
    await shop.step()
    expect([(await shop.payment(id)).status, await waiting()]).toEqual(['pending', [id]])
    shop.network.rates.isOut = false
    await shop.step()
    expect([(await shop.payment(id)).status, await outcome(id)]).toEqual(['confirmed', completed])
  })

  it("is placed before its checkout's later payments, even when there is a rate again", async () => {
    const { id } = await shop.sell(shop.network.xlm.assetId)
    shop.network.rates.isOut = true
    payInXlm(id, 30)
    payInXlm(id, 10)
    await shop.step()
    expect(await waiting()).toEqual([id, id])
    shop.network.rates.isOut = false
    payInXlm(id, 5)
    await shop.step()
    expect(await waiting()).toEqual([])
    expect((await shop.payment(id)).transactions.map(({ amount }) => amount)).toEqual(['30 XLM', '10 XLM'])
    expect(await outcome(id)).toEqual({ ...completed, exceptions: [{ kind: 'paid_twice', amount: units(5) }] })
  })

  it('is placed first even when the rate comes back in the middle of a step', async () => {
    const { id } = await shop.sell(shop.network.xlm.assetId)
    shop.network.rates.isOut = true
    payInXlm(id, 30)
    payInXlm(id, 10)
    await shop.step()
    shop.network.rates.isOut = false
    const testnet = present(shop.services.networks.testnet)
    const none: RateUnavailable = { _tag: 'RateUnavailable', pair: 'XLM/USD', reason: 'TooFewSources', rejected: [] }
    let refusals = 2
    const quote: typeof testnet.quote = (...asked) => (refusals-- > 0 ? TE.left(none) : testnet.quote(...asked))
    const services = { ...shop.services, networks: { testnet: { ...testnet, quote }, mainnet: null } }
    const worker = present(createWorker(services, 'testnet', () => undefined))
    await done(worker.step)
    expect(await waiting()).toEqual([id, id])
    await done(worker.step)
    expect((await shop.payment(id)).transactions.map(({ amount }) => amount)).toEqual(['30 XLM', '10 XLM'])
  })

  it('keeps its session open, and is judged by the rate of its own time', async () => {
    const { id } = await shop.sell(shop.network.xlm.assetId)
    shop.network.rates.isOut = true
    payInXlm(id, 40)
    await shop.step()
    shop.network.wait(30 * hourMs)
    await shop.step()
    expect((await shop.checkout(id)).status).toBe('open')
    shop.network.rates.isOut = false
    await shop.step()
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed', late: false })
  })

  it('ends its session as underpaid when it turns out to be too small after the deadline', async () => {
    const { id } = await shop.sell(shop.network.xlm.assetId)
    shop.network.rates.isOut = true
    payInXlm(id, 4)
    await shop.step()
    shop.network.wait(30 * hourMs)
    shop.network.rates.isOut = false
    await shop.step()
    const exceptions = [{ kind: 'underpaid', amount: units(4) }]
    expect(await outcome(id)).toEqual({ status: 'failed', failure_reason: 'underpaid', exceptions })
  })

  it('is judged by the first available rate, if there is none of its own time', async () => {
    const [covered, short] = [await shop.sell(shop.network.xlm.assetId), await shop.sell(shop.network.xlm.assetId)]
    shop.network.rates.isOut = true
    payInXlm(covered.id, 50)
    payInXlm(short.id, 40)
    await shop.step()
    shop.network.rates.isOut = false
    shop.network.rates.percent = 95
    shop.network.rates.knowsSince = shop.network.now() + minuteMs
    await shop.step()
    expect(await waiting()).toEqual([covered.id, short.id])
    shop.network.wait(2 * minuteMs)
    await shop.step()
    expect(await waiting()).toEqual([])
    expect((await shop.checkout(covered.id)).status).toBe('completed')
    expect(await done(shop.billing.payer.quote(short.id))).toMatchObject({
      amount: '42.1052632',
      amount_due: '2.1052632',
    })
  })

  it('is neither lost nor counted twice, wherever its process dies', async () => {
    let deaths = 0
    for (; deaths < mostAppends; deaths++) {
      const { id } = await shop.sell(shop.network.xlm.assetId)
      shop.network.rates.isOut = true
      payInXlm(id, 30)
      payInXlm(id, 15)
      await shop.step()
      shop.network.rates.isOut = false
      const dying = await openPlatform(shop.network, shop.folder.path, dyingAfter(deaths + 1))
      const lived = await done(dying.worker.step).then(
        () => true,
        (defect: unknown) => {
          if (defect instanceof ProcessDied) return false
          throw defect
        },
      )
      await dying.close()
      const next = await openPlatform(shop.network, shop.folder.path)
      await done(next.worker.step)
      await next.close()
      expect(await outcome(id)).toEqual({ ...completed, exceptions: [{ kind: 'overpaid', amount: units(5) }] })
      expect((await shop.payment(id)).transactions).toHaveLength(2)
      expect(await waiting()).toEqual([])
      if (lived) break
    }
    expect(deaths).toBeGreaterThan(3)
    expect(deaths).toBeLessThan(mostAppends)
  }, 60_000)
})
