import { hourMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import { acceptLog } from '../testing/accept-log.ts'
import { clubIn, openClub } from '../testing/club.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { backUp, restore } from '../testing/restored.ts'
import { command } from '../testing/shop.ts'
import type { StoreFront } from '../testing/store-front.ts'

const dayMs = 24 * hourMs

describe('a restored log that believes an erased customer to be alive', () => {
  let front: StoreFront
  afterEach(() => front.close())

  it('deletes the customer again once it is accepted, cancels the subscription, and charges nothing', async () => {
    const club = await openClub()
    front = club
    const checkoutId = await club.joinNamed(await club.club(), 'ada@club.example')
    await club.enrol(checkoutId, club.payer)
    const { subscription_id, customer_id } = await club.checkout(checkoutId)
    const [id, customerId] = [present(subscription_id), present(customer_id)]
    const backup = backUp(club)
    await done(club.billing.customers.remove(command(club.platform, club.merchantId), customerId))
    await club.pass()

    front = await restore(club, backup, 'kept')
    const { billing, services, scope } = front
    expect(await done(billing.customers.retrieve(scope, customerId))).toMatchObject({ id: customerId, email: null })
    expect(await services.vault.seal(customerId, {})).toEqual(O.none)
    await front.step()
    expect((await done(billing.subscriptions.find(scope, id))).status).toBe('active')
    await acceptLog(front)
    const again = clubIn(front)
    for (let weeks = 0; weeks < 5; weeks++) await again.pass(7 * dayMs)

    const eventsOf = async (stream: string) => (await done(front.platform.log.readStream(stream))).events
    expect(await done(billing.subscriptions.find(scope, id))).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'customer_deleted',
    })
    expect((await eventsOf(`subscription-${id}`)).filter(({ type }) => type === 'ChargeAttempted')).toEqual([])
    const deleted = (await eventsOf(`customer-${customerId}`)).filter(({ type }) => type === 'CustomerDeleted')
    expect(deleted.map(({ metadata: { actor } }) => actor)).toEqual(['process'])
    expect(await refused(billing.customers.retrieve(scope, customerId))).toEqual({ _tag: 'CustomerNotFound' })
  })
})
