import type { EventStore } from '@quittance/event-store'
import { createBilling } from '../../face/billing.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { command, someone } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { createWorker } from '../../worker/worker.ts'

describe('a customer that another process deletes meanwhile', () => {
  let shop: StoreFront
  let customerId: string
  let people = 0
  beforeAll(async () => {
    shop = await openStoreFront()
  })
  afterAll(() => shop.close())
  beforeEach(async () => {
    const wanted = [someone(`ada-${people++}@example.org`)]
    customerId = present((await done(shop.billing.customers.createAll(context(), wanted)))[0]).id
  })
  const context = () => command(shop.platform, shop.merchantId)

  /** The other process completes right after the n-th read of this one. */
  const deletingAfter = (reads: number): EventStore => {
    let left = reads
    const { store } = shop.services
    return {
      ...store,
      readStream:
        (...request) =>
        async () => {
          const slice = await store.readStream(...request)()
          left -= 1
          if (left === 0) await done(shop.billing.customers.remove(context(), customerId))
          return slice
        },
    }
  }
  /** The other process erases a key between two adjacent steps of this one. */
  const erasing = (when: 'after opening' | 'before sealing'): Vault => {
    const { vault } = shop.services
    return {
      ...vault,
      unseal: async (subject, sealed) => {
        const data = await vault.unseal(subject, sealed)
        if (when === 'after opening') await vault.erase(subject)
        return data
      },
      seal: async (subject, data) => {
        if (when === 'before sealing') await vault.erase(subject)
        return vault.seal(subject, data)
      },
    }
  }

  const change = { name: 'Grace', email: 'grace@example.org', metadata: { a: 'b' } }
  it.each([
    [1, 'CustomerNotFound'],
    [2, 'CustomerIsDeleted'],
    [3, 'CustomerIsDeleted'],
    [4, 'CustomerIsDeleted'],
    [5, 'CustomerIsDeleted'],
  ])('is not found by a change that is overtaken after its read no. %d', async (reads, _tag) => {
    const { update } = createBilling({ ...shop.services, store: deletingAfter(reads) }).customers
    expect(await refused(update(context(), customerId, change))).toEqual({ _tag })
  })

  it('is not found by a change that has opened the profile already', async () => {
    const { update } = createBilling({ ...shop.services, vault: erasing('after opening') }).customers
    expect(await refused(update(context(), customerId, change))).toEqual({ _tag: 'CustomerIsDeleted' })
  })

  it('is reported as existing to a creation under the same key', async () => {
    const { createAll } = createBilling({ ...shop.services, vault: erasing('before sealing') }).customers
    expect(await refused(createAll(context(), [someone('new@example.org')]))).toEqual({ _tag: 'CustomerAlreadyExists' })
  })

  it('pays as a guest', async () => {
    const { id } = await shop.sell(undefined, { id: customerId, email: null, phone: null })
    shop.payer.pay({ to: shop.account, asset: shop.network.usdc.assetId, parts: [units(10)], memo: id })
    const services = { ...shop.services, vault: erasing('after opening') }
    await done(present(createWorker(services, 'testnet', () => undefined)).step)
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', billing_details: null })
  })
})
