import { count } from '@quittance/domain'
import { type Club, openClub } from '../../testing/club.ts'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openPlatform } from '../../testing/platform.ts'
import { survived } from '../../testing/refunds.ts'
import { provenLog } from '../../testing/stores.ts'

const mostAppends = 40

describe('workers that die while a customer subscribes', () => {
  let club: Club
  let people = 0
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const eventIds = async () => {
    const ids: Array<string> = []
    for await (const { id } of club.platform.log.readAll(0n)) ids.push(id)
    return ids
  }
  const typesOf = async (stream: string) =>
    (await done(club.platform.log.readStream(stream))).events.map(({ type }) => type)

  /** One who subscribes for each append at which a worker can die, and what is left of each. */
  const each = async (trialDays: number, look: (id: string) => Promise<void>): Promise<number> => {
    const productId = await club.club({ trialDays: count(trialDays), totalCredits: count(3) })
    for (let deaths = 0; deaths < mostAppends; deaths++) {
      const [number, email] = [30 + ++people, `reader-${people}@crash.example`]
      const reader = await club.wallets.wallet(number)
      const id = await club.joinNamed(productId, email)
      const signed = reader.sign((await club.offered(id, reader)).transaction_xdr)
      await done(club.billing.payer.submit(id, signed))
      await club.step()
      club.network.wait(5_000)
      const dying = await openPlatform(club.network, club.folder.path, dyingAfter(deaths + 1))
      const lived = await survived(done(dying.worker.step))
      await dying.close()
      await club.step()
      await look(id)
      if (lived) return deaths
    }
    return mostAppends
  }

  it('completes the checkout of a worker that died, with one payment, one subscription and one grant', async () => {
    const deaths = await each(0, async (id) => {
      const { status, payment_id, subscription_id, customer_id, product_id } = await club.checkout(id)
      expect(status).toBe('completed')
      expect(await typesOf(`payment-${payment_id}`)).toEqual([
        'PaymentOpened',
        'PaymentSubmitted',
        'PaymentCredited',
        'PaymentConfirmed',
      ])
      expect(await typesOf(`subscription-${subscription_id}`)).toEqual(['SubscriptionStarted'])
      const { customers } = await club.platform.shown()
      expect(present(await customers.withId(present(customer_id))).row.wallets).toHaveLength(1)
      const access = await done(club.billing.access(club.scope, present(customer_id), present(product_id)))
      expect(access.has_access).toBe(true)
      expect(await club.exceptionsOf(id)).toEqual([])
    })
    expect(deaths).toBeGreaterThan(4)
    expect(deaths).toBeLessThan(mostAppends)
  })

  it('completes the trial of a worker that died, and takes the trial once', async () => {
    const deaths = await each(7, async (id) => {
      const { status, payment_id, subscription_id } = await club.checkout(id)
      expect({ status, payment_id }).toEqual({ status: 'completed', payment_id: null })
      expect(await typesOf(`subscription-${subscription_id}`)).toEqual(['SubscriptionStarted'])
      expect((await typesOf(`checkout-${id}`)).slice(-2)).toEqual(['EnrolmentSeen', 'CheckoutCompletedUnpaid'])
    })
    // Three reservations, the mandate, the wallet, the subscription, the end.
    expect(deaths).toBeGreaterThanOrEqual(7)
    expect(deaths).toBeLessThan(mostAppends)
  })

  it('writes no event twice when workers die', async () => {
    const ids = await eventIds()
    expect(new Set(ids).size).toBe(ids.length)
    expect(await provenLog(club.folder.path)).toMatchObject({ ok: true })
  })

  it('writes nothing when a worker ingests the same ledgers again', async () => {
    const before = await club.platform.logEnd()
    const { cursors } = club.services
    const cursor = present(await done(cursors.of('testnet').load()))
    await cursors.move('testnet', { ...cursor, sequence: present(await firstLedger()), hash: null })
    await club.step()
    expect(await club.platform.logEnd()).toEqual(before)
  })

  const firstLedger = async () => {
    const { watchedAccounts } = await club.platform.shown()
    return (await watchedAccounts.all()).map(({ row }) => row.setUpThrough)[0]
  }
})
