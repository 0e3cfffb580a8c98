import { decimalFromStroops, hourMs, minuteMs, type Stroops, shownStatus, stroops } from '@quittance/domain'
import { checkouts, payments } from '@quittance/projections'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { publicSession } from '../features/paying/session.ts'
import { retrieve } from '../kernel/load.ts'
import { ledgerBooks, ourBooks } from '../testing/books.ts'
import { dyingAfter, ProcessDied } from '../testing/failing-stores.ts'
import { startNetwork, type TestNetwork } from '../testing/network.ts'
import { done, present } from '../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../testing/platform.ts'
import { book, command, openShop, options } from '../testing/shop.ts'
import { provenLog } from '../testing/stores.ts'
import { type Wallet, walletsOn } from '../testing/wallets.ts'

const seed = 20_261_101

/** A price of 1 in each asset, in stroops at the pinned rates. */
const priceOf = { USDC: 10_000_000n, XLM: 40_000_000n, EURC: 9_259_260n }
type Code = keyof typeof priceOf
const one = fc.constantFrom
const anyCode = one<Code>('USDC', 'USDC', 'XLM', 'EURC')
const anyWhich = fc.nat({ max: 5 })

type Act =
  | { readonly _tag: 'sell'; readonly code: Code; readonly inAsset: boolean; readonly email: string | null }
  | {
      readonly _tag: 'pay'
      readonly which: number
      readonly percents: ReadonlyArray<number>
      readonly other: Code | null
    }
  | { readonly _tag: 'payNobody'; readonly memo: string | null; readonly code: Code }
  | { readonly _tag: 'submit'; readonly which: number; readonly isLost: boolean; readonly percent: number }
  | { readonly _tag: 'quote' | 'expire'; readonly which: number }
  | { readonly _tag: 'wait'; readonly ms: number }
  | { readonly _tag: 'rate'; readonly percent: number }
  | { readonly _tag: 'step' | 'restart' | 'twoAtOnce' }
  | { readonly _tag: 'die'; readonly appends: number }

const tagged = <const Tag extends string, Fields>(_tag: Tag, fields: fc.Arbitrary<Fields>) =>
  fields.map((each) => ({ _tag, ...each }))
const anyPercent = one(1, 30, 70, 100, 101, 115, 150)
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: tagged('sell', fc.record({ code: anyCode, inAsset: fc.boolean(), email: one(null, 'a@b.c') })),
  },
  {
    weight: 8,
    arbitrary: tagged(
      'pay',
      fc.record({
        which: anyWhich,
        percents: fc.array(anyPercent, { minLength: 1, maxLength: 2 }),
        other: one<Code | null>(null, null, null, 'EURC'),
      }),
    ),
  },
  tagged('payNobody', fc.record({ memo: one(null, 'hello', 'chk_0000000000000000000000'), code: anyCode })),
  tagged('submit', fc.record({ which: anyWhich, isLost: fc.boolean(), percent: one(70, 100, 1_000_000_000) })),
  tagged('quote', fc.record({ which: anyWhich })),
  tagged('expire', fc.record({ which: anyWhich })),
  {
    weight: 4,
    arbitrary: tagged('wait', fc.record({ ms: one(1000, 3 * minuteMs, 6 * minuteMs, hourMs, 13 * hourMs) })),
  },
  tagged('rate', fc.record({ percent: one(0, 96, 100, 104) })),
  { weight: 3, arbitrary: one('step', 'restart', 'twoAtOnce').map((_tag): Act => ({ _tag })) },
  { weight: 2, arbitrary: tagged('die', fc.record({ appends: fc.integer({ min: 1, max: 8 }) })) },
)

describe('any sequence of sales, payments, waits and crashes', () => {
  let network: TestNetwork
  let folder: ReturnType<typeof temporaryFolder>
  let wallets: ReadonlyArray<Wallet>
  beforeAll(async () => {
    network = await startNetwork()
    folder = temporaryFolder()
    const { wallet } = walletsOn(network)
    wallets = [await wallet(1), await wallet(2)]
  })
  afterAll(async () => {
    await network.close()
    folder.remove()
  })
  const assetOf = (code: Code) => ({ USDC: network.usdc, XLM: network.xlm, EURC: network.eurc })[code].assetId

  const start = async () => {
    let platform = await openPlatform(network, folder.path)
    const merchantId = await openShop(platform)
    const { account: to } = await done(platform.services.settlementOf(merchantId, 'testnet'))
    const sold: Array<{ readonly id: string; readonly code: Code }> = []
    let turn = 0
    const payer = (): Wallet => present(wallets[turn++ % wallets.length])
    const part = (code: Code, percent: number): Stroops => stroops((priceOf[code] * BigInt(percent)) / 100n)
    const chosen = (which: number) => sold[which % Math.max(sold.length, 1)]
    /** A step may find no rate; that it stops early is no failure. */
    const step = async ({ worker }: TestPlatform): Promise<void> => void (await worker.step())

    const sell = async ({ code, inAsset, email }: Extract<Act, { readonly _tag: 'sell' }>): Promise<void> => {
      const newContext = () => command(platform, merchantId)
      const wanted = options({ id: null, email, phone: null })
      const { checkouts: sessions, products } = platform.billing
      const newProduct = async () => {
        const cheapBook = { ...book(assetOf(code)), price: { amount: '1', amountCents: null } }
        return (await done(products.create(newContext(), cheapBook))).id
      }
      const price = { amount: decimalFromStroops(stroops(priceOf[code])), amountCents: null }
      const created = inAsset
        ? sessions.createDirect(newContext(), price, assetOf(code), wanted)
        : sessions.createForProduct(newContext(), await newProduct(), wanted)
      sold.push({ id: (await done(created)).id, code })
    }

    const perform = async (act: Act): Promise<void> => {
      switch (act._tag) {
        case 'sell':
          return sell(act)
        case 'pay': {
          const sale = chosen(act.which)
          const code = act.other ?? sale?.code ?? 'USDC'
          const parts = act.percents.map((percent) => part(code, percent))
          payer().pay({ to, asset: assetOf(code), parts, memo: sale?.id ?? null })
          return
        }
        case 'payNobody':
          payer().pay({ to, asset: assetOf(act.code), parts: [part(act.code, 10)], memo: act.memo })
          return
        case 'submit': {
          const sale = chosen(act.which)
          if (sale === undefined) return
          const { reference: memo } = await done(() => publicSession(platform.services, sale.id))
          const sending = { to, asset: assetOf(sale.code), parts: [part(sale.code, act.percent)], memo }
          network.faults.losesSubmissions = act.isLost
          await platform.billing.payer.submit(sale.id, payer().signedPayment(sending, network.now() / 1000 + 300))()
          network.faults.losesSubmissions = false
          network.wait(1000)
          return
        }
        case 'quote':
          await platform.billing.payer.quote(chosen(act.which)?.id ?? '')()
          return
        case 'expire':
          await platform.billing.checkouts.expire(command(platform, merchantId), chosen(act.which)?.id ?? '')()
          return
        case 'wait':
          network.wait(act.ms)
          return
        case 'rate':
          network.rates.isOut = act.percent === 0
          if (act.percent > 0) network.rates.percent = act.percent
          return
        case 'step':
          return step(platform)
        case 'restart':
          await platform.close()
          platform = await openPlatform(network, folder.path)
          return
        case 'twoAtOnce': {
          const second = await openPlatform(network, folder.path)
          await Promise.all([step(platform), step(second)])
          await second.close()
          return
        }
        case 'die': {
          const dying = await openPlatform(network, folder.path, dyingAfter(act.appends))
          await step(dying).catch((defect: unknown) => {
            if (!(defect instanceof ProcessDied)) throw defect
          })
          await dying.close()
        }
      }
    }
    return { perform, merchantId, to, platform: () => platform }
  }

  it('records every incoming payment once, and ends every session and payment by the rules', async () => {
    const story = async (acts: ReadonlyArray<Act>): Promise<void> => {
      const { perform, merchantId, to, platform } = await start()
      for (const act of acts) await perform(act)
      network.rates.isOut = false
      network.rates.percent = 100
      for (const ms of [1000, 25 * hourMs, 2 * hourMs, 1000]) {
        network.wait(ms)
        await done(platform().worker.step)
      }

      const { services, billing, worker, shown } = platform()
      const rows = await shown()
      const watched = (await rows.merchants.all()).find(({ id }) => id === merchantId)?.row.watched[0]
      const ledger = await ledgerBooks(network, to, present(watched).setUpThrough)
      expect(await ourBooks(platform(), merchantId)).toEqual(ledger)

      const scope = { merchantId, environment: 'testnet' as const }
      const sessions = (await rows.checkouts.all()).filter((each) => each.merchantId === merchantId)
      const ended = (await rows.payments.all()).filter((each) => each.merchantId === merchantId)
      for (const { id, row } of sessions) {
        const own = ended.filter((each) => each.row.details.checkoutId === id)
        const confirmed = own.filter((each) => each.row.status === 'confirmed')
        expect(own.filter((each) => each.row.status === 'pending')).toEqual([])
        expect(shownStatus(row)).not.toBe('open')
        expect(confirmed).toHaveLength(row.status === 'completed' ? 1 : 0)
        expect(await done(retrieve(services.store)(checkouts, id, scope))).toEqual(O.some({ ...scope, id, row }))
        if (row.status === 'completed') expect(row.paymentId).toBe(confirmed[0]?.id)
      }
      for (const { id, row } of ended)
        expect(await done(retrieve(services.store)(payments, id, scope))).toEqual(O.some({ ...scope, id, row }))
      expect(await worker.nextDue()).toBeNull()
      expect((await billing.customers.list({ ...scope, limit: 10 })()).resources.length).toBeLessThanOrEqual(1)
      await platform().close()
    }
    const anyStory = fc
      .tuple(
        fc.array(
          anyAct.filter(({ _tag }) => _tag === 'sell'),
          { minLength: 1, maxLength: 3 },
        ),
        fc.array(anyAct, { minLength: 10, maxLength: 40 }),
      )
      .map(([sales, acts]) => [...sales, ...acts])
    await fc.assert(fc.asyncProperty(anyStory, story), { numRuns: 40, seed, endOnFailure: true })
    expect(await provenLog(folder.path)).toMatchObject({ ok: true, problems: [] })
  })
})
