import { type Club, openClub } from '../../testing/club.ts'
import { done } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'

describe('the public events of a subscription', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const told = async (resourceId: string) => {
    await club.platform.shown()
    const asked = { ...club.scope, after: null, type: null, resourceId, limit: 100 }
    return (await done(club.billing.events.list(asked))).resources
  }

  it('shows a subscription in a public event as it was then, with the access that it gave', async () => {
    const productId = await club.club()
    const id = await club.join(productId, 'reader@club.example')
    await club.enrol(id, club.payer)
    const { subscription_id, customer_id } = await club.checkout(id)
    const subscriptionId = subscription_id ?? ''
    const again = () => command(club.platform, club.merchantId)
    await done(club.billing.subscriptions.pause(again(), subscriptionId))
    await done(
      club.billing.subscriptions.update(again(), subscriptionId, {
        cancelAtPeriodEnd: null,
        productId: null,
        metadata: { note: 'away' },
      }),
    )

    expect(await told(subscriptionId)).toMatchObject([
      { type: 'subscription.created', sequence: 1, data: { status: 'active', paused_at: null } },
      { type: 'subscription.paused', sequence: 2, data: { status: 'paused' } },
      { type: 'subscription.updated', sequence: 3, previous: { metadata: {} } },
    ])
    expect(await told(`${customer_id}/${productId}`)).toMatchObject([
      {
        type: 'access.granted',
        data: {
          has_access: true,
          grant: { type: 'subscription', subscription_id: subscriptionId, status: 'active' },
          customer_id,
          product_id: productId,
        },
      },
    ])
  })
})
