import { type AssetId, asText, cents, dayMs, hourMs, PlatformFee } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as fc from 'fast-check'
import { openClub } from '../../testing/club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { asset, commodityKey, type JournalEntry } from './entry.ts'
import type { JournalEnd } from './journal.ts'
import { journalOf, whole } from './testing/journal-of.ts'
import { anyShopLife, liveIn } from './testing/shop-lives.ts'
import { accountSums } from './testing/sums.ts'

/** What postings add up to, by commodity; nothing where they balance. */
const left = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<string> =>
  entries.flatMap(({ event, postings }) => {
    const sums = new Map<string, bigint>()
    for (const { commodity, amount } of postings)
      sums.set(commodityKey(commodity), (sums.get(commodityKey(commodity)) ?? 0n) + amount)
    return [...sums].flatMap(([name, sum]) => (sum === 0n ? [] : [`${event.stream}@${event.revision}: ${sum} ${name}`]))
  })

const heldBy = async ({ network, account }: StoreFront, assetId: AssetId): Promise<bigint> => {
  const view = present(await done(network.gateway.accountView(account, [assetId])))
  return assetId === 'native' ? view.nativeBalance : (view.trustlines[0]?.balance ?? 0n)
}

const bookedIn = (entries: ReadonlyArray<JournalEntry>, assetId: AssetId): bigint => {
  const sums = accountSums()
  for (const { postings } of entries) sums.add(postings)
  return sums.of('settlement', asset(assetId))
}

/** Entries in a form that a person can check: kind, and account, amount and currency of each posting. */
const shown = (entries: ReadonlyArray<JournalEntry>) =>
  entries.map(({ kind, postings }) => [
    kind,
    ...postings.map(({ account, amount, commodity }) => `${account} ${amount} ${commodity._tag}`),
  ])

describe('the journal', () => {
  it('books a sale and its refund at the recorded price, and a withdrawal', async () => {
    const front = await openStoreFront()
    const [refunds, payouts] = [refundsIn(front), payoutsIn(front)]
    const payment = await refunds.paid()
    await payouts.earn(1)
    await refunds.ended(await done(refunds.request(payment)))
    await payouts.ended(await done(payouts.request(await payouts.destination())))
    const entries = await journalOf(front)
    const money = entries.filter(({ kind }) => kind !== 'network_fee')
    const received = ['payment_received', 'settlement 100000000 asset', 'incoming -100000000 asset']
    const confirmed = [
      'payment_confirmed',
      'incoming 100000000 asset',
      'conversion -100000000 asset',
      'conversion 1000 fiat',
      'sales -1000 fiat',
    ]
    expect(shown(money)).toEqual([
      ['account_opened', 'settlement 100000000000 asset', 'opening -100000000000 asset'],
      received,
      confirmed,
      received,
      confirmed,
      [
        'refund',
        'conversion 100000000 asset',
        'settlement -100000000 asset',
        'refunds 1000 fiat',
        'conversion -1000 fiat',
      ],
      ['payout', 'payouts 100000000 asset', 'settlement -100000000 asset'],
    ])
    expect(money[1]).toMatchObject({ subject: payment.id, merchantId: front.merchantId })
    expect(money[1]?.transactionHash).toMatch(/^[0-9a-f]{64}$/)
    expect(left(entries)).toEqual([])
    await front.close()
  })

  it('is the same in parts as in one piece', async () => {
    const front = await openStoreFront()
    const refunds = refundsIn(front)
    await refunds.paid()
    front.network.wait(hourMs)
    const between = front.network.now()
    await refunds.paid()
    const entries = await journalOf(front)
    const parts = [...(await journalOf(front, { to: between })), ...(await journalOf(front, { from: between }))]
    expect(parts).toEqual(entries)
    const paged: Array<JournalEntry> = []
    const request = { ...whole, environment: front.scope.environment, merchantId: front.merchantId }
    for (const bound of [{ most: 1 }, { mostRead: 1 }, { most: 2, mostRead: 3 }]) {
      paged.length = 0
      for (let after: bigint | null = 0n; after !== null; ) {
        const end: JournalEnd = await done(
          front.billing.journal({ ...request, ...bound, after }, (entry) => void paged.push(entry)),
        )
        after = end.next
      }
      expect(paged).toEqual(entries)
    }
    await front.close()
  })

  it('books each period of a subscription as income when it is paid, and an excess as a debt until it went back', async () => {
    const club = await openClub()
    const joined = await club.join(await club.club({ recurringPeriod: 'day' }), 'ada@shop.example')
    await club.enrol(joined, await club.wallets.wallet(30))
    for (let day = 0; day < 2; day++) {
      await club.pass(dayMs)
      for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
    }
    const { id } = await club.sell()
    await club.pay(id, [units(12)])
    const usdc = asset(club.network.usdc.assetId)
    const owed = async () => {
      const sums = accountSums()
      for (const { postings } of await journalOf(club)) sums.add(postings)
      return [sums.of('incoming', usdc), sums.of('exceptions', usdc)]
    }
    expect(await owed()).toEqual([0n, -20_000_000n])
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
    expect(await owed()).toEqual([0n, 0n])
    const entries = await journalOf(club)
    const income = entries.flatMap(({ postings }) =>
      postings.flatMap(({ account, amount }) =>
        account === 'renewals' || account === 'sales' ? [[account, amount]] : [],
      ),
    )
    // The first period is sold by a checkout.
    expect(income).toEqual([
      ['sales', -1_000n],
      ['renewals', -1_000n],
      ['renewals', -1_000n],
      ['sales', -1_000n],
    ])
    expect(left(entries)).toEqual([])
    const request = { from: null, to: null, merchantId: club.merchantId }
    expect((await done(club.billing.following.reconcile('testnet', request))).isOk).toBe(true)
    await club.close()
  })

  it('rejects a merchant that does not exist', async () => {
    const front = await openStoreFront()
    const request = { ...whole, environment: front.scope.environment, merchantId: 'mer_none' }
    expect(await refused(front.billing.journal(request, () => undefined))).toEqual({ _tag: 'MerchantNotFound' })
    await front.close()
  })

  it('balances in each commodity, and adds up to what the ledger holds, whatever happens to a shop', async () => {
    await fc.assert(
      fc.asyncProperty(anyShopLife, fc.boolean(), fc.boolean(), async (life, isLimited, takesFees) => {
        const front = await openStoreFront()
        const { billing, network, platform, merchantId } = front
        const context = command(platform, merchantId)
        if (isLimited)
          await done(
            billing.limits.set(context, { setter: 'operator', scope: 'merchant', amount: cents(100_000_000n) }),
          )
        if (takesFees)
          await done(
            billing.platformFees.set(context, {
              fee: decoded(PlatformFee, { basisPoints: 250, fixed: [] }),
              from: null,
              by: asText('Ada'),
              reason: asText('the contract'),
            }),
          )
        await front.pay(null, [units(1)])
        await liveIn(front, life)
        const entries = await journalOf(front)
        expect(left(entries)).toEqual([])
        for (const { assetId } of [network.usdc, network.xlm, network.eurc])
          expect([assetId, bookedIn(entries, assetId)]).toEqual([assetId, await heldBy(front, assetId)])
        const request = { from: null, to: null, merchantId }
        const { log, missing } = await done(billing.following.reconcile(front.scope.environment, request))
        expect([missing, log.forged]).toEqual([[], []])
        expect(log.balances.filter(({ difference }) => difference !== 0n)).toEqual([])
        await front.close()
      }),
      { numRuns: 5, seed: 20_261_128, endOnFailure: true },
    )
  })
})
