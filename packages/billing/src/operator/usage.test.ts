import { asText, unixMs } from '@quittance/domain'
import * as fc from 'fast-check'
import { done, refused } from '../testing/outcomes.ts'
import { payoutsIn } from '../testing/payouts.ts'
import { refundsIn } from '../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { splitFee } from './usage-sums.ts'

const usageOf = (front: StoreFront, from: number | null = null, to: number | null = null) => {
  const range = { from: from === null ? null : unixMs(from), to: to === null ? null : unixMs(to) }
  return done(front.billing.usage({ environment: front.scope.environment, merchantId: null, ...range }))
}

/** All fees that the log knows of, as the books count them. */
const feesIn = async (front: StoreFront): Promise<bigint> => {
  const rows = await (await front.platform.shown()).ledgerTransactions.all()
  return rows.flatMap(({ row }) => row.fees).reduce((sum, { feeCharged }) => sum + feeCharged, 0n)
}

describe('the usage of merchants', () => {
  it('sums sales, refunds and payouts with their recorded prices, and exactly the fees of the ledger', async () => {
    const front = await openStoreFront()
    const { network, merchantId } = front
    const [refunds, payouts] = [refundsIn(front), payoutsIn(front)]
    const first = await refunds.paid()
    await payouts.earn(2)
    await refunds.ended(await done(refunds.request(first)))
    network.wait(60_000)
    const between = network.now()
    network.wait(60_000)
    const destination = await payouts.destination()
    await done(payouts.request(destination))
    for (let ledgers = 0; ledgers < 6; ledgers++) {
      await front.step()
      network.wait(5_000)
    }
    const all = await usageOf(front)
    const asset = network.usdc.assetId
    const book = { assetId: asset, currency: 'USD' }
    expect(all.map((each) => each.merchantId)).toEqual([merchantId, null])
    expect(all[0]).toMatchObject({
      sales: [{ ...book, count: 3, amount: units(30), cents: 3_000n }],
      renewals: [],
      refunds: [{ ...book, count: 1, amount: units(10), cents: 1_000n }],
      payouts: [{ assetId: asset, currency: null, count: 1, amount: units(10), cents: null }],
      transactions: 2,
    })
    const sumOf = (usage: typeof all) =>
      usage.flatMap(({ fees }) => Object.values(fees)).reduce((sum, fee) => sum + fee, 0n)
    expect(sumOf(all)).toBe(await feesIn(front))
    expect(sumOf(all)).toBeGreaterThan(0n)

    const [before, after] = [await usageOf(front, null, between), await usageOf(front, between)]
    expect([before[0]?.sales, before[0]?.refunds, before[0]?.payouts]).toEqual([all[0]?.sales, all[0]?.refunds, []])
    expect([after[0]?.sales, after[0]?.refunds, after[0]?.payouts]).toEqual([[], [], all[0]?.payouts])
    expect(sumOf(before) + sumOf(after)).toBe(sumOf(all))
    expect([before[0]?.transactions, after[0]?.transactions]).toEqual([1, 1])
    await front.close()
  })

  it('rejects a merchant that does not exist', async () => {
    const front = await openStoreFront()
    const request = { environment: front.scope.environment, merchantId: asText('mer_none'), from: null, to: null }
    expect(await refused(front.billing.usage(request))).toEqual({ _tag: 'MerchantNotFound' })
    await front.close()
  })
})

describe('a fee that merchants share', () => {
  it('is divided by movements, and the first bear what is left', () => {
    expect([...splitFee(100n, ['a', 'b', 'a'])]).toEqual([
      ['a', 67n],
      ['b', 33n],
    ])
  })
  it('is divided exactly, into parts that differ by a stroop at most', () => {
    const owners = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 12n), owners, (fee, each) => {
        const parts = [...splitFee(fee, each).values()]
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(fee)
        const least = fee / BigInt(each.length)
        expect(parts.filter((part) => part !== least && part !== least + 1n)).toEqual([])
      }),
    )
  })
})
