import * as E from 'fp-ts/lib/Either.js'
import { dyingAfter, ProcessDied } from '../../testing/failing-stores.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

const called = (name: string) => ({ email: `${name}@payer.example`, name, phone: null })

describe('naming the customer of a checkout', () => {
  let shop: StoreFront
  let other: TestPlatform
  beforeEach(async () => {
    shop = await openStoreFront()
    other = await openPlatform(shop.network, shop.folder.path)
  })
  afterEach(async () => {
    await other.close()
    await shop.close()
  })
  const emails = async () => {
    await shop.platform.shown()
    const { resources } = await shop.billing.customers.list({ ...shop.scope, limit: 100 })()
    return resources.map(({ email }) => email)
  }
  const customerOf = async (id: string) => {
    const { customer_id } = await shop.checkout(id)
    return (await done(shop.billing.customers.retrieve(shop.scope, present(customer_id)))).email
  }

  it('takes one of several names that come at once, in any process, and creates no customer for the others', async () => {
    const named: Array<string> = []
    for (let round = 0; round < 12; round++) {
      const { id } = await shop.sell()
      const racers = [shop.billing, other.billing, shop.billing, other.billing]
      const outcomes = await Promise.all(
        racers.map(({ payer }, index) => payer.attachCustomer(id, called(`racer-${round}-${index}`))()),
      )
      expect(outcomes.filter(E.isRight)).toHaveLength(1)
      const lost = outcomes.filter(E.isLeft).map(({ left }) => left._tag)
      expect(['AttachingUnderWay', 'CustomerAlreadyAttached']).toEqual(expect.arrayContaining(lost))
      named.push(present(await customerOf(id)))
      expect((await emails()).sort()).toEqual([...named].sort())
    }
  })

  it('creates one customer when one email names two checkouts at once', async () => {
    const [one, two] = [await shop.sell(), await shop.sell()]
    const ada = called('ada')
    const naming = [shop.billing.payer.attachCustomer(one.id, ada), other.billing.payer.attachCustomer(two.id, ada)]
    await Promise.all(naming.map(done))
    expect((await shop.checkout(one.id)).customer_id).toBe((await shop.checkout(two.id)).customer_id)
    expect(await emails()).toEqual([ada.email])
  })

  it('creates one customer when the process dies at any write and the payer tries again', async () => {
    let deaths = 0
    for (let died = true; died; ) {
      const { id } = await shop.sell()
      const email = called(`killed-${deaths}`)
      const dying = await openPlatform(shop.network, shop.folder.path, dyingAfter(deaths + 1))
      died = await done(dying.billing.payer.attachCustomer(id, email)).then(
        () => false,
        (cause) => {
          if (cause instanceof ProcessDied) return true
          throw cause
        },
      )
      await dying.close()
      if (!died) break
      // A checkout that the dead process has named takes no name again.
      const again = await shop.billing.payer.attachCustomer(id, email)()
      if (E.isLeft(again)) expect(again.left._tag).toBe('CustomerAlreadyAttached')
      expect(await customerOf(id)).toBe(email.email)
      deaths += 1
    }
    expect(deaths).toBeGreaterThanOrEqual(3)
    expect(new Set(await emails()).size).toBe(deaths + 1)
    expect(await emails()).toHaveLength(deaths + 1)
  })

  it('takes another email after the process has died, as the payer may have mistyped the first', async () => {
    const { id } = await shop.sell()
    const dying = await openPlatform(shop.network, shop.folder.path, dyingAfter(1))
    await expect(dying.billing.payer.attachCustomer(id, called('mistyped'))()).rejects.toThrow(ProcessDied)
    await dying.close()
    await done(shop.billing.payer.attachCustomer(id, called('right')))
    expect(await customerOf(id)).toBe('right@payer.example')
    expect(await emails()).toEqual(['right@payer.example'])
  })

  it('changes no customer once a payment is pending, and none after completion', async () => {
    const [pending, completed] = [await shop.sell(), await shop.sell()]
    const { transaction_xdr } = await done(shop.billing.payer.transaction(pending.id, shop.payer.account))
    await done(shop.billing.payer.submit(pending.id, shop.payer.sign(transaction_xdr)))
    await shop.pay(completed.id, [units(10)], { from: shop.other })
    const thief = (id: string) => refused(shop.billing.payer.attachCustomer(id, called('thief')))
    expect((await thief(completed.id))._tag).toBe('PaymentAlreadyBegun')
    expect((await thief(pending.id))._tag).toBe('PaymentAlreadyBegun')
    expect((await shop.checkout(completed.id)).customer_id).toBeNull()
    expect(await emails()).toEqual([])
  })

  it('answers and records alike, whether the email belongs to a customer or to nobody', async () => {
    const known = called('known')
    const customer = { ...known, image: null, metadata: {} }
    await done(shop.billing.customers.createAll(command(shop.platform, shop.merchantId), [customer]))
    const answers = await Promise.all(
      [known, called('unknown')].map(async (details) => {
        const { id } = await shop.sell()
        const named = await done(shop.billing.payer.attachCustomer(id, details))
        const again = await refused(shop.billing.payer.attachCustomer(id, called('again')))
        const {
          customer_id: _,
          id: __,
          ...shown
        } = { ...(await done(shop.billing.payer.status(id))), id, customer_id: null }
        return { named: named.checkout_id === id, again: again._tag, status: shown.status }
      }),
    )
    expect(answers[0]).toEqual(answers[1])
  })
})
