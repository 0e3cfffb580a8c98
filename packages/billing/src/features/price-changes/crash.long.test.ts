import { dayMs, Subscription } from '@quittance/domain'
import { type Club, openClub } from '../../testing/club.ts'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openPlatform } from '../../testing/platform.ts'
import { survived } from '../../testing/refunds.ts'
import { command } from '../../testing/shop.ts'

const mostAppends = 60
let people = 0

describe('a process that dies after any append of a price change', () => {
  let club: Club
  let product: string
  let ids: ReadonlyArray<string>
  beforeEach(async () => {
    club = await openClub()
    product = await club.club()
    ids = [await member(), await member(), await member()]
  })
  afterEach(() => club.close())

  const ledgers = async (count = 6) => {
    for (let ledger = 0; ledger < count; ledger++) await club.pass()
  }
  const member = async () => {
    const checkout = await club.join(product, `d${++people}@prices.example`)
    await club.enrol(checkout, await club.wallets.wallet(1_200 + people))
    return present((await club.checkout(checkout)).subscription_id)
  }
  const typesOf = async (id: string) =>
    (await done(club.platform.log.readStream(`${Subscription.category}-${id}`))).events.map(({ type }) => type)
  const counts = async (type: string) =>
    (await Promise.all(ids.map(typesOf))).flat().filter((each) => each === type).length
  /** Processes follow one another, each of which dies after one append more than the one before; true once one has lived. */
  const dieOneByOne = async () => {
    let deaths = 0
    for (let appends = 1; appends <= mostAppends; appends++) {
      const process = await openPlatform(club.network, club.folder.path, dyingAfter(appends))
      const hasLived = await survived(done(process.worker.step))
      await process.close()
      if (hasLived) return deaths
      deaths += 1
    }
    throw new Error('none has lived')
  }

  it('tells each subscription once, charges each once at the new price, and withdraws from each once', async () => {
    const change = await club.reprice(product, '10.5')
    club.network.wait(5_000)
    expect(await dieOneByOne()).toBeGreaterThan(1)
    await ledgers(2)
    expect(await counts('PriceChangeAnnounced')).toBe(3)
    await club.pass(31 * dayMs)
    await ledgers()
    club.network.wait(31 * dayMs)
    expect(await dieOneByOne()).toBeGreaterThan(3)
    await ledgers(40)
    expect([await counts('PriceChanged'), await counts('ChargeConfirmed')]).toEqual([3, 6])
    const shown = await Promise.all(ids.map((id) => done(club.billing.subscriptions.retrieve(club.scope, id))))
    expect(shown.map(({ last_attempt }) => last_attempt?.amount)).toEqual(['10.5 USDC', '10.5 USDC', '10.5 USDC'])
    expect((await done(club.billing.priceChanges.retrieve(club.scope, change.id))).progress.changed).toBe(3)

    const other = await club.reprice(product, '50', { withoutConsent: 'cancel' })
    await ledgers(2)
    await done(club.billing.priceChanges.cancel(command(club.platform, club.merchantId), other.id))
    club.network.wait(5_000)
    expect(await dieOneByOne()).toBeGreaterThan(1)
    await ledgers(2)
    expect(await counts('PriceChangeDropped')).toBe(3)
    expect((await done(club.billing.priceChanges.retrieve(club.scope, other.id))).progress.dropped).toBe(3)
  })
})
