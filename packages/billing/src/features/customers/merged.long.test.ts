import { asText, positiveCount } from '@quittance/domain'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { meteredShop } from '../../testing/metered.ts'
import { done, present } from '../../testing/outcomes.ts'
import { wantedRefund } from '../../testing/refunds.ts'
import { book, command, someone } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

type Act =
  | { readonly _tag: 'buy' | 'buy units'; readonly who: number; readonly product: number }
  | { readonly _tag: 'consume'; readonly who: number; readonly product: number; readonly units: number }
  | { readonly _tag: 'refund'; readonly which: number }
  | { readonly _tag: 'merge'; readonly from: number; readonly into: number }

const people = 3
const ofEach = 2
const perPurchase = 5
const person = fc.nat(people - 1)
const product = fc.nat(ofEach - 1)
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant('buy' as const), who: person, product }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant('buy units' as const), who: person, product }) },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant('consume' as const),
      who: person,
      product,
      units: fc.integer({ min: 1, max: 7 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant('refund' as const), which: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant('merge' as const), from: person, into: person }) },
)

type Sale = { readonly id: string; readonly who: number; readonly productId: string; readonly isMetered: boolean }

describe('customers of whom some are merged', () => {
  let shop: StoreFront
  let metered: ReturnType<typeof meteredShop>
  let names = 0
  beforeAll(async () => {
    shop = await openStoreFront()
    metered = meteredShop(shop)
  })
  afterAll(() => shop.close())
  const now = () => command(shop.platform, shop.merchantId)

  it('own together what each owned, whatever is bought, spent and refunded before and after', async () => {
    const check = async (history: ReadonlyArray<Act>): Promise<void> => {
      const { billing, scope, network } = shop
      const profiles = Array.from({ length: people }, () => someone(`merged-${++names}@one.example`))
      const ids = (await done(billing.customers.createAll(now(), profiles))).map(({ id }) => id)
      const books: Array<string> = []
      const calls: Array<string> = []
      for (let made = 0; made < ofEach; made++) {
        books.push((await done(billing.products.create(now(), book(network.usdc.assetId)))).id)
        calls.push(await metered.product({ credits: perPurchase, perCredit: 1 }))
      }
      // The model: whose each one's are, the sales of all, and what is left of the units.
      const owner = ids.map((_, index) => index)
      const sales: Array<Sale> = []
      const left = new Map<string, number>()
      // What a merchant's systems make of public events alone.
      const told = new Map<string, boolean>()
      let after: string | null = null
      const unitsOf = (who: number, productId: string) => left.get(`${owner[who]} ${productId}`) ?? 0
      const add = (who: number, productId: string, by: number) =>
        void left.set(`${owner[who]} ${productId}`, unitsOf(who, productId) + by)
      const listen = async (): Promise<void> => {
        for (;;) {
          const request = { ...scope, after, type: null, resourceId: null, limit: 100 }
          const { resources } = await done(billing.events.list(request))
          for (const event of resources) {
            after = event.id
            if (event.type === 'access.granted') told.set(event.resource_id, true)
            if (event.type === 'access.revoked') told.set(event.resource_id, false)
            if (event.type !== 'customer.merged') continue
            for (const productId of [...books, ...calls]) {
              const had = told.get(`${event.data.id}/${productId}`) === true
              const account = `${event.data.merged_into}/${productId}`
              told.set(account, had || told.get(account) === true)
            }
          }
          if (resources.length === 0) return
        }
      }
      const buy = async (who: number, productId: string, isMetered: boolean): Promise<void> => {
        const session = await metered.open(present(ids[who]), productId)
        await shop.pay(session, [units(10)])
        const { payment_id } = await done(billing.checkouts.retrieve(scope, session))
        sales.push({ id: present(payment_id), who, productId, isMetered })
        if (isMetered) add(who, productId, perPurchase)
      }
      const perform = async (act: Act): Promise<void> => {
        switch (act._tag) {
          case 'buy':
            return buy(act.who, present(books[act.product]), false)
          case 'buy units':
            return buy(act.who, present(calls[act.product]), true)
          case 'consume': {
            const productId = present(calls[act.product])
            const of = { customerId: present(ids[act.who]), productId }
            const consumption = { units: positiveCount(act.units), metadata: {} }
            const consumed = await billing.credits.consume(now(), of, consumption)()
            expect(E.isRight(consumed)).toBe(unitsOf(act.who, productId) >= act.units)
            if (E.isRight(consumed)) add(act.who, productId, -act.units)
            return
          }
          case 'refund': {
            const sale = sales[act.which % Math.max(1, sales.length)]
            if (sale === undefined) return
            const refunded = await billing.refunds.request(now(), wantedRefund(sale))()
            if (E.isLeft(refunded)) return expect(['CreditsSpent', 'NothingToRefund']).toContain(refunded.left._tag)
            for (let steps = 0; steps < 3; steps++) {
              network.wait(5_000)
              await shop.step()
            }
            sales.splice(sales.indexOf(sale), 1)
            if (sale.isMetered) add(sale.who, sale.productId, -perPurchase)
            return
          }
          case 'merge': {
            const remaining = [...new Set(owner)]
            const was = present(remaining[act.from % remaining.length])
            const becomes = present(remaining[act.into % remaining.length])
            if (was === becomes) return
            const [from, into] = [present(ids[was]), present(ids[becomes])]
            await done(billing.customers.merge(now(), { from, into, by: asText('Ada'), reason: asText('one') }))
            for (const productId of calls) add(becomes, productId, unitsOf(was, productId))
            for (const [index, whose] of owner.entries()) if (whose === was) owner[index] = becomes
          }
        }
      }
      for (const act of history) {
        network.wait(1_000)
        await perform(act)
        await listen()
        for (const [who, customerId] of ids.entries()) {
          const own = sales.filter((sale) => owner[sale.who] === owner[who])
          for (const productId of books) {
            const { has_access } = await done(billing.access(scope, customerId, productId))
            expect(has_access).toBe(own.some((sale) => sale.productId === productId))
          }
          for (const productId of calls) {
            const { balance } = await done(billing.credits.retrieve(scope, { customerId, productId }))
            expect(balance).toBe(unitsOf(who, productId))
            expect((await done(billing.access(scope, customerId, productId))).has_access).toBe(balance > 0)
          }
          const listed = await billing.payments.list({ ...scope, listedUnder: customerId, limit: 100 })()
          expect(listed.resources.map(({ id }) => id)).toEqual(expect.arrayContaining(own.map(({ id }) => id)))
          if (owner[who] !== who) continue
          for (const productId of [...books, ...calls])
            expect({ productId, told: told.get(`${customerId}/${productId}`) ?? false }).toEqual({
              productId,
              told: (await done(billing.access(scope, customerId, productId))).has_access,
            })
        }
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(anyAct, { minLength: 8, maxLength: 20, size: 'max' }), check), {
      numRuns: 25,
      seed: 20_261_125,
    })
  })
})
