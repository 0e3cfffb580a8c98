import { hourMs, unixMs } from '@quittance/domain'
import { type Club, openClub } from '../testing/club.ts'
import { done, present } from '../testing/outcomes.ts'

const dayMs = 24 * hourMs
let people = 0

describe('renewing', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const subscribed = async (trialDays = 0) => {
    const reader = await club.wallets.wallet(40 + ++people)
    const id = await club.join(await club.club(trialDays), `r${people}@club.example`)
    await club.enrol(id, reader)
    const { subscription_id } = await club.checkout(id)
    return { reader, id: present(subscription_id) }
  }
  const shown = (id: string) => done(club.billing.subscriptions.retrieve(club.scope, id))
  const passDays = async (days: number) => {
    await club.pass(days * dayMs)
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
  }

  it('charges the next period once it has begun, and the period moves on with the ledger that holds the charge', async () => {
    const { id } = await subscribed()
    const before = await shown(id)
    await passDays(28)
    await passDays(3)
    const after = await shown(id)
    expect(after).toMatchObject({
      status: 'active',
      current_period_start: before.current_period_end,
      failed_payment_count: 0,
      last_attempt: { status: 'confirmed', amount: '10 USDC', subscription_id: id },
    })
    expect(unixMs(Date.parse(after.current_period_end))).toBeGreaterThan(Date.parse(before.current_period_end))
    const history = await done(club.billing.subscriptions.history(club.scope, id))
    expect(history.map(({ type }) => type)).toEqual([
      'SubscriptionStarted',
      'RenewalAnnounced',
      'ChargeAttempted',
      'ChargeHandedOver',
      'ChargeConfirmed',
    ])
  })
})
