import { asText, BasisPoints, count, dayMs, type PlatformFee, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { clubIn } from '../../testing/club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

let front: StoreFront
beforeEach(async () => {
  front = await openStoreFront()
})
afterEach(() => front.close())

const share = (basisPoints: number): PlatformFee => ({ basisPoints: decoded(BasisPoints, basisPoints), fixed: [] })
const [by, reason] = [asText('Ada'), asText('the contract of May')]
const setFee = (fee: PlatformFee, from: number | null = null) => {
  const wanted = { fee, from: from === null ? null : unixMs(from), by, reason }
  return front.billing.platformFees.set(command(front.platform, front.merchantId), wanted)
}
const payments = async () => {
  const page = { ...front.scope, limit: 100 }
  const { resources } = await front.billing.payments.list(page)()
  return resources.toReversed().map(({ amount, platform_fee }) => [amount, platform_fee])
}

describe('a fee of the operator', () => {
  it('is borne by sales that begin after it was set, until another one counts', async () => {
    const before = await front.sell()
    await done(setFee({ ...share(150), fixed: [{ assetId: front.network.usdc.assetId, amount: units(1) }] }))
    front.network.wait(1_000)
    const under = await front.sell()
    await done(setFee(share(0)))
    front.network.wait(1_000)
    const after = await front.sell()
    for (const { id } of [before, under, after]) await front.pay(id, [units(10)])
    expect(await payments()).toEqual([
      ['10 USDC', null],
      ['10 USDC', '1.15 USDC'],
      ['10 USDC', null],
    ])
  })

  it('is not borne by what is overpaid, nor by money that fits no sale', async () => {
    await done(setFee(share(1_000)))
    const { id } = await front.sell()
    await front.pay(id, [units(13)])
    await front.pay(null, [units(3)])
    expect(await payments()).toEqual([['10 USDC', '1 USDC']])
  })

  it('is shown to the merchant, and from when on it changes', async () => {
    const from = front.network.now() + dayMs
    await done(setFee(share(150)))
    expect(await done(setFee(share(90), from))).toMatchObject({
      platform_fee: { basis_points: 150, fixed: [] },
      next_platform_fee: { basis_points: 90, fixed: [], from: new Date(from).toISOString() },
      decisions: [{ basis_points: 150, by, reason }, { basis_points: 90 }],
    })
    front.network.wait(dayMs)
    expect(await done(front.billing.merchantProfiles.show(front.scope))).toMatchObject({
      platform_fee: { basis_points: 90 },
      next_platform_fee: null,
    })
    expect(await refused(setFee(share(1), from - 1))).toEqual({ _tag: 'PlatformFeeBackdated' })
  })

  it('is borne by renewals that are charged after it was set', async () => {
    const club = clubIn(front)
    const product = await club.club()
    await club.enrol(await club.join(product, 'ada@example.org'), front.payer)
    await done(setFee(share(150)))
    const subscriptionId = present((await (await front.platform.shown()).subscriptions.all())[0]).id
    for (let passed = 0; passed < 3 && (await payments()).length < 2; passed++) {
      front.network.wait(16 * dayMs)
      for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    }
    expect(await club.subscription(subscriptionId)).toMatchObject({ status: 'active', nextN: count(2) })
    expect(await payments()).toEqual([
      ['10 USDC', null],
      ['10 USDC', '0.15 USDC'],
    ])
  })
})

describe('a merchant without a fee', () => {
  it('writes the same events as before', async () => {
    await payoutsIn(front).earn(1)
    const { rows } = await (await front.platform.shown()).payments.page({ ...front.scope, limit: 1 })
    const { events } = await done(front.platform.log.readStream(`payment-${present(rows[0]).id}`))
    expect(events.filter(({ data }) => 'platformFee' in data)).toEqual([])
  })
})
