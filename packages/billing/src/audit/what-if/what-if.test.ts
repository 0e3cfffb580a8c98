import { count, dayMs, type Policy, positiveCount, unixMs } from '@quittance/domain'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import { type WhatIfReport, type WhatIfRequest, whatIf } from './what-if.ts'

describe('what if', () => {
  let club: Club
  let from = unixMs(0)
  let product = ''
  const names: Array<string> = []
  beforeAll(async () => {
    club = await openClub()
    product = await club.club()
    from = unixMs(club.network.now())
    const wallets = []
    for (let person = 0; person < 3; person++) {
      const wallet = await club.wallets.wallet(person + 40)
      const checkout = await club.join(product, `p${person}@club.example`)
      await club.enrol(checkout, wallet)
      names.push(present((await club.checkout(checkout)).subscription_id))
      wallets.push(wallet)
    }
    // The first never has money again; the second has it back after nine days; the third always has.
    await drain(present(wallets[0]))
    await drain(present(wallets[1]))
    await club.pass(28 * dayMs)
    for (let day = 29; day <= 47; day++) {
      if (day === 40) await fund(present(wallets[1]))
      await club.pass(dayMs)
      for (let ledgers = 0; ledgers < 3; ledgers++) await club.pass()
    }
  }, 300_000)
  afterAll(() => club.close())

  const drain = async (reader: Wallet) => {
    const { network, other, pass } = club
    const view = await done(network.gateway.accountView(reader.account, [network.usdc.assetId]))
    const { spendable } = present(present(view).trustlines[0])
    reader.pay({ to: other.account, asset: network.usdc.assetId, parts: [spendable], memo: null })
    await pass()
  }
  const fund = async (reader: Wallet) => {
    const { network, other, pass } = club
    other.pay({ to: reader.account, asset: network.usdc.assetId, parts: [units(100)], memo: null })
    await pass()
  }
  const asked = (policy: Partial<Policy>, rules: Partial<WhatIfRequest> = {}): Promise<WhatIfReport> => {
    const { billing, network, merchantId } = club
    const to = unixMs(network.now() + 1)
    return done(billing.whatIf({ environment: 'testnet', merchantId, policy, from, to, ...rules }))
  }

  it('reproduces every subscription by the policy that counted, without a difference', async () => {
    const report = await asked({})
    expect(report).toMatchObject({ subscriptions: 3, reproduced: 3, otherwise: 0, assumed: 0, leftOut: [] })
    expect(report.changed).toEqual(report.recorded)
  })

  it('comes to the same ends by its own clock, though the worker looked once a day', async () => {
    const { recorded, control } = await asked({})
    const { accessMs, attempts, ...figures } = recorded
    expect(control).toMatchObject(figures)
    expect(Math.abs(control.attempts - attempts)).toBeLessThan(4)
    expect(Math.abs(control.accessMs - accessMs)).toBeLessThan(3 * dayMs)
  })

  it('cancels sooner by a short table that ends in cancellation, and never what was paid', async () => {
    const report = await asked({ dunningScheduleHours: [positiveCount(6)], afterRetries: 'cancel' })
    expect(report).toMatchObject({ reproduced: 3, otherwise: 2 })
    expect(report.changed).toMatchObject({ involuntary: 2, overdue: 0 })
    expect(report.recorded).toMatchObject({ involuntary: 0, overdue: 1, recovered: 1 })
    expect(report.changed.attempts).toBeLessThan(report.recorded.attempts)
  })

  it('gives access for longer by days of grace', async () => {
    const { recorded, changed } = await asked({ accessGraceDays: count(5) })
    expect(changed.accessMs - recorded.accessMs).toBeGreaterThan(4 * dayMs)
    expect(changed.revenue).toEqual(recorded.revenue)
  })

  it('earns 0.5 for each 10 by another price, from its moment on, and changes nothing else', async () => {
    const { recorded, changed } = await asked({}, { prices: [{ productId: product, amount: '0.5', since: null }] })
    // The worker of the record looked once a day, that of a replay whenever something is due.
    const { revenue, monthly, attempts, accessMs, ...others } = recorded
    expect(changed).toMatchObject(others)
    const [before = 0n] = [...revenue.values()]
    expect([...changed.revenue.values()]).toEqual([(before / 1_000n) * 50n])
    expect([...changed.monthly.keys()]).toEqual([...monthly.keys()])
    const after = { productId: product, amount: '0.5', since: unixMs(club.network.now()) }
    expect((await asked({}, { prices: [after] })).changed).toEqual(recorded)
  })

  it('refuses prices of what nobody sells, and amounts that are none in its currency', async () => {
    const { billing, network, merchantId } = club
    const request = { environment: 'testnet' as const, merchantId, policy: {}, from, to: unixMs(network.now()) }
    const refusedFor = (productId: string, amount: string) =>
      refused(billing.whatIf({ ...request, prices: [{ productId, amount, since: null }] }))
    expect(await refusedFor('prod_none', '1')).toEqual({
      ...{ _tag: 'OtherPriceRefused', productId: 'prod_none', why: 'no_product' },
    })
    expect(await refusedFor(product, '0.001')).toEqual({
      ...{ _tag: 'OtherPriceRefused', productId: product, why: 'no_price' },
    })
  })

  it('writes nothing', async () => {
    const { services, merchantId, network } = club
    const reads: Array<string> = []
    const store = {
      readStream: (stream: string) => {
        reads.push(stream)
        return services.store.readStream(stream)
      },
    }
    const to = unixMs(network.now())
    await done(whatIf({ ...services, store })({ environment: 'testnet', merchantId, policy: {}, from, to }))
    expect(reads.toSorted()).toEqual(
      ['freeze-platform', `merchant-${merchantId}`, ...names.map((id) => `subscription-${id}`)].toSorted(),
    )
  })

  it('refuses unknown merchants, and tables that no merchant can set', async () => {
    const { billing } = club
    const request = { environment: 'testnet' as const, from, to: unixMs(from + 1) }
    expect(await refused(billing.whatIf({ ...request, merchantId: 'mer_none', policy: {} }))).toEqual({
      _tag: 'MerchantNotFound',
    })
    const policy = { dunningScheduleHours: [positiveCount(6), positiveCount(3)] }
    expect(await refused(billing.whatIf({ ...request, merchantId: null, policy }))).toMatchObject({
      _tag: 'DunningScheduleInvalid',
    })
  })
})
