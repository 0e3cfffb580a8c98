import { clubIn } from '../testing/club.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { command, someone } from '../testing/shop.ts'
import type { StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { heldIn, list, openScreened } from './testing/screened-shop.ts'

const frozen = { _tag: 'SalesFrozen' }

describe('a sale to a listed address', () => {
  let front: StoreFront
  beforeAll(async () => {
    front = await openScreened()
  })
  afterAll(() => front.close())
  afterEach(() => {
    list(front)
    front.network.denied.isDown = false
  })

  it.each(['is listed', 'cannot be asked about'])(
    'is refused as while sales are frozen, if the wallet %s',
    async (how) => {
      const { billing, payer, other } = front
      const { id } = await front.sell()
      const { transaction_xdr } = await done(billing.payer.transaction(id, payer.account))
      if (how === 'is listed') list(front, payer.account)
      else front.network.denied.isDown = true
      expect(await refused(billing.payer.assets(id, payer.account))).toEqual(frozen)
      expect(await refused(billing.payer.transaction(id, payer.account))).toEqual(frozen)
      expect(await refused(billing.payer.submit(id, payer.sign(transaction_xdr)))).toEqual(frozen)
      if (how === 'is listed') await done(billing.payer.transaction(id, other.account))
      else expect(await refused(billing.payer.transaction(id, other.account))).toEqual(frozen)
      expect(await heldIn(front)).toEqual([])
    },
  )

  it('has no quote for a customer who has proven a listed wallet, and the page says that payments are paused', async () => {
    const { billing, platform, merchantId, payer } = front
    const now = () => command(platform, merchantId)
    const [customer] = await done(billing.customers.createAll(now(), [someone('ada@shop.example')]))
    const { id: customerId } = present(customer)
    const { transaction } = await done(billing.wallets.start(now(), customerId, payer.account))
    await done(billing.wallets.verify(now(), customerId, payer.sign(transaction)))
    const { id } = await front.sell(undefined, { id: customerId, email: null, phone: null })
    await done(billing.payer.quote(id))
    list(front, payer.account)
    expect(await refused(billing.payer.quote(id))).toEqual(frozen)
    expect(await done(billing.payer.page(id))).toMatchObject({ quote: null, isPaused: true, status: 'open' })
  })
})

describe('a sale before a kill', () => {
  it('that was placed as clear stays so, and money that was held stays held, whatever the list says afterwards', async () => {
    const front = await openScreened()
    const shop = clubIn(front)
    const { id } = await front.sell()
    const other = await front.sell()
    await front.pay(id, [units(10)])
    list(front, front.payer.account)
    await front.pay(other.id, [units(10)])
    const cursor = front.services.cursors
    const at = present(await done(cursor.of('testnet').load()))
    await cursor.move('testnet', { ...at, sequence: at.sequence - 5, hash: null } as never)
    list(front, ...(await front.exceptions()).map(() => front.payer.account))
    await shop.pass()
    expect((await front.payments(id)).map(({ status }) => status)).toEqual(['confirmed'])
    await cursor.move('testnet', { ...at, sequence: at.sequence - 5, hash: null } as never)
    list(front)
    await shop.pass()
    expect(await front.exceptionsOf(other.id)).toEqual([{ kind: 'screened', amount: units(10) }])
    expect(await front.checkout(other.id)).toMatchObject({ status: 'open' })
    expect(await front.exceptionsOf(id)).toEqual([])
    await front.close()
  })
})
