import { secondMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Services } from '../../services/services.ts'
import { ShareCodec } from '../../stores/parked/share.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { ProcessDied } from '../../testing/failing-stores.ts'
import { inTrouble, type MerchantTrouble } from '../../testing/merchant-trouble.ts'
import { done, present } from '../../testing/outcomes.ts'
import { survived } from '../../testing/refunds.ts'
import { openNextDoor, openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { createWorker } from '../../worker/worker.ts'

let shop: StoreFront
beforeEach(async () => {
  shop = await openStoreFront()
})
afterEach(() => shop.close())

const workerOn = (services: Services) => present(createWorker(services, 'testnet', () => undefined))
const send = (memo: string, amount: number, to = shop.account) =>
  shop.payer.pay({ to, asset: shop.network.usdc.assetId, parts: [units(amount)], memo })
const troubleIn = (streams: RegExp): MerchantTrouble => ({
  merchantId: shop.merchantId,
  streams,
  failure: 'Defect',
  isOn: true,
})
/** How many closed ledgers the cursor has not passed. */
const ledgersLeft = async (): Promise<number> => {
  const cursor = await done(shop.services.cursors.of('testnet').load())
  return shop.network.sandbox.clock().ledger - present(cursor).sequence
}
const sold = async (id: string) => ({
  checkout: (await shop.checkout(id)).status,
  payments: (await shop.payments(id)).map(({ status, amount }) => ({ status, amount })),
  exceptions: await shop.exceptionsOf(id),
})
const paidOnce = { checkout: 'completed', payments: [{ status: 'confirmed', amount: '10 USDC' }], exceptions: [] }

describe('shares of a ledger that cannot be placed', () => {
  it('parks a share that cannot be placed, and moves the cursor past its ledger', async () => {
    const { id } = await shop.sell()
    const trouble = troubleIn(/^checkout-/)
    const worker = workerOn(inTrouble(shop.services, trouble))
    send(id, 10)
    await done(worker.step)
    const cursor = await done(shop.services.cursors.of('testnet').load())
    expect(cursor?.sequence).toBe(shop.network.sandbox.clock().ledger)
    expect(await shop.services.parked.queues('testnet')).toEqual([{ ...shop.scope, id: shop.merchantId }])
    trouble.isOn = false
    shop.network.wait(secondMs)
    await done(worker.step)
    expect(await sold(id)).toEqual(paidOnce)
    expect(await shop.services.parked.queues('testnet')).toEqual([])
  })

  it('delays later shares of the merchant of a parked share, and places them in the order of their ledgers', async () => {
    const { id } = await shop.sell()
    const trouble = troubleIn(/^checkout-/)
    const worker = workerOn(inTrouble(shop.services, trouble))
    const hashes = [send(id, 4)]
    await done(worker.step)
    hashes.push(send(id, 4))
    trouble.isOn = false
    // The first one is still paused: the second waits behind it.
    await done(worker.step)
    hashes.push(send(id, 2))
    await done(worker.step)
    shop.network.wait(secondMs)
    await done(worker.step)
    expect(await sold(id)).toEqual(paidOnce)
    const [payment] = await (await shop.platform.shown()).payments.all()
    expect(payment?.row.incomingPayments.map(({ transactionHash }) => transactionHash)).toEqual(hashes)
  })

  it('counts a parked share as paid in time when it is placed late: no session of its merchant ends meanwhile', async () => {
    const { id, expires_at } = await shop.sell()
    const next = await openNextDoor(shop)
    const other = await next.sell()
    const trouble = troubleIn(/^payment-/)
    const worker = workerOn(inTrouble(shop.services, trouble))
    send(id, 10)
    await done(worker.step)
    shop.network.wait(Date.parse(expires_at) - shop.network.now() + secondMs)
    await done(worker.step)
    expect((await shop.checkout(id)).status).toBe('open')
    expect((await next.checkout(other.id)).status).toBe('expired')
    trouble.isOn = false
    shop.network.wait(60 * secondMs)
    await done(worker.step)
    expect(await sold(id)).toEqual(paidOnce)
  })

  it('begins no return while a share of its merchant is parked, which may hold it', async () => {
    const { id } = await shop.sell()
    const trouble = troubleIn(/^payment-/)
    const worker = workerOn(inTrouble(shop.services, trouble))
    const stray = send('hello', 3)
    send(id, 10)
    await done(worker.step)
    const { eventsOf, of, settled } = exceptionsIn(shop)
    expect(await eventsOf(await of(stray))).toEqual(['ExceptionOpened'])
    trouble.isOn = false
    shop.network.wait(secondMs)
    await done(worker.step)
    expect(await settled(await of(stray))).toMatchObject({ return_status: 'succeeded' })
  })

  it.each(['before', 'after'] as const)('places a share once after a kill -9 %s it is parked', async (moment) => {
    const { id } = await shop.sell()
    const dying = inTrouble(shop.services, troubleIn(/^checkout-/))
    let isDead = false
    const die = (): never => {
      isDead = true
      throw new ProcessDied()
    }
    const store: Services['store'] = {
      ...dying.store,
      readStream: (stream) => (isDead ? () => Promise.resolve().then(die) : dying.store.readStream(stream)),
    }
    const parked: Services['parked'] = {
      ...dying.parked,
      add: async (share) => {
        if (moment === 'after') await dying.parked.add(share)
        die()
      },
    }
    send(id, 10)
    const worker = workerOn({ ...dying, store, parked })
    expect(await survived(worker.step())).toBe(false)
    expect(await ledgersLeft()).toBe(1)
    await shop.step()
    shop.network.wait(secondMs)
    await shop.step()
    expect(await sold(id)).toEqual(paidOnce)
  })

  it('keeps the cursor in place when a share cannot be parked', async () => {
    const { id } = await shop.sell()
    const services = inTrouble(shop.services, troubleIn(/^checkout-/))
    const full = async () => {
      throw new Error('the disk is full')
    }
    send(id, 10)
    const worker = workerOn({ ...services, parked: { ...services.parked, add: full } })
    await expect(worker.step()).rejects.toThrow('the disk is full')
    expect(await ledgersLeft()).toBe(1)
    await shop.step()
    expect(await sold(id)).toEqual(paidOnce)
  })

  it('parks a share without loss of a field', async () => {
    const { id } = await shop.sell()
    const services = inTrouble(shop.services, troubleIn(/^checkout-/))
    send(id, 10)
    await done(workerOn(services).step)
    const share = present(await services.parked.first('testnet', shop.merchantId))
    const [credit] = share.credits
    expect(credit).toMatchObject({ memo: { _tag: 'text', value: id }, amount: units(10), kind: 'payment' })
    expect(share.movements).toMatchObject([{ _tag: 'payment', delta: units(10), account: shop.account }])
    expect(ShareCodec.decode(JSON.parse(JSON.stringify(ShareCodec.encode(share))))).toEqual(E.right(share))
  })
})
