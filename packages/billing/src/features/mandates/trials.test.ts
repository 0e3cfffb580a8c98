import { count, minuteMs } from '@quittance/domain'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command, options } from '../../testing/shop.ts'

let people = 0
/** What a later subscription of the same customer is offered. */
const several = { trialDays: count(7), allowsMultipleSubscriptions: true }
const someone = () => `reader-${++people}@club.example`

describe('trials', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())
  const wallet = () => club.wallets.wallet(20 + ++people)
  const offeredTo = async (productId: string, email: string, reader: Awaited<ReturnType<typeof wallet>>) => {
    const id = await club.join(productId, email)
    return { id, mandate: present((await club.offered(id, reader)).mandate) }
  }

  it('gives a trial once per customer and once per wallet', async () => {
    const productId = await club.club({ trialDays: count(7) })
    const [email, reader] = [someone(), await wallet()]
    await club.enrol(await club.join(productId, email), reader)
    const charged = { trial_days: 0, trial_ends_at: null, first_amount: '10' }
    expect((await offeredTo(productId, email, await wallet())).mandate).toMatchObject(charged)
    const again = await offeredTo(productId, someone(), reader)
    expect(again.mandate).toMatchObject(charged)
    await club.enrol(again.id, reader)
    const { payment_id, subscription_id } = await club.checkout(again.id)
    expect(payment_id).not.toBeNull()
    expect(await club.subscription(present(subscription_id))).toMatchObject({ status: 'active' })
  })

  it('gives a trial once per email, even after its customer was deleted and created again', async () => {
    const productId = await club.club({ trialDays: count(7) })
    const email = someone()
    const first = await club.join(productId, email)
    await club.enrol(first, await wallet())
    const { customer_id } = await club.checkout(first)
    const { platform, merchantId, billing } = club
    await done(billing.customers.remove(command(platform, merchantId), present(customer_id)))
    const { mandate } = await offeredTo(productId, email.toUpperCase(), await wallet())
    expect(mandate.trial_days).toBe(0)
  })

  it('a trial under a typed email counts against typed emails and its wallet, not against a named customer', async () => {
    const productId = await club.club(several)
    const [email, thief, victim] = [someone(), await wallet(), await wallet()]
    const own = await club.joinNamed(productId, email)
    await club.enrol(await club.join(productId, email), thief)
    const daysOf = async (id: string, reader: typeof thief) =>
      present((await club.offered(id, reader)).mandate).trial_days
    expect((await offeredTo(productId, email, victim)).mandate.trial_days).toBe(0)
    expect(await daysOf(own, thief)).toBe(0)
    expect(await daysOf(own, victim)).toBe(7)
    await club.enrol(own, victim)
    const { subscription_id } = await club.checkout(own)
    expect(await club.subscription(present(subscription_id))).toMatchObject({ status: 'trialing' })
  })

  it("a named customer's trial counts against that email, typed or not", async () => {
    const productId = await club.club(several)
    const email = someone()
    const own = await club.joinNamed(productId, email)
    await club.enrol(own, await wallet())
    expect((await offeredTo(productId, email, await wallet())).mandate.trial_days).toBe(0)
    const { customer_id } = await club.checkout(own)
    const named = options({ id: present(customer_id), email: null, phone: null })
    const { platform, merchantId, billing } = club
    const { id } = await done(billing.checkouts.createForProduct(command(platform, merchantId), productId, named))
    expect(present((await club.offered(id, await wallet())).mandate).trial_days).toBe(0)
  })

  it('gives a trial for each product', async () => {
    const [email, reader] = [someone(), await wallet()]
    await club.enrol(await club.join(await club.club({ trialDays: count(7) }), email), reader)
    expect((await offeredTo(await club.club({ trialDays: count(7) }), email, reader)).mandate.trial_days).toBe(7)
  })

  it('does not use up a trial by offering it', async () => {
    const productId = await club.club({ trialDays: count(7) })
    const [email, reader] = [someone(), await wallet()]
    await offeredTo(productId, email, reader)
    expect((await offeredTo(productId, email, reader)).mandate.trial_days).toBe(7)
  })

  it('gives the trial to the first of two mandates signed at once, and refuses the other, which paid nothing', async () => {
    const productId = await club.club({ trialDays: count(7) })
    const email = someone()
    const readers = [await wallet(), await wallet()] as const
    const ids = [await club.join(productId, email), await club.join(productId, email)] as const
    for (const [index, id] of ids.entries()) {
      const reader = present(readers[index])
      await done(club.billing.payer.submit(id, reader.sign((await club.offered(id, reader)).transaction_xdr)))
    }
    await club.pass()
    const sessions = await Promise.all(ids.map((id) => club.checkout(id)))
    expect(sessions.map(({ status }) => status).sort()).toEqual(['completed', 'open'])
    const open = present(sessions.find(({ status }) => status === 'open')).id
    expect((await club.state(open)).refusedEnrolments.map(({ reason }) => reason)).toEqual(['trial_taken'])
    const quote = await done(club.billing.payer.quote(open))
    expect(quote.mandate).toMatchObject({ trial_days: 0, first_amount: '10' })
    const third = await wallet()
    await club.enrol(open, third)
    expect((await club.checkout(open)).status).toBe('completed')
  })

  it('starts a trial although another wallet, whose trial is used up, is about to pay in the same session', async () => {
    const productId = await club.club({ trialDays: count(7) })
    const [had, fresh] = [await wallet(), await wallet()]
    await club.enrol(await club.join(productId, someone()), had)
    const id = await club.join(productId, someone())
    const paying = had.sign((await club.offered(id, had)).transaction_xdr)
    club.network.faults.losesSubmissions = true
    await done(club.billing.payer.submit(id, paying))
    club.network.faults.losesSubmissions = false
    expect((await club.payment(id)).status).toBe('pending')
    await club.enrol(id, fresh)
    const { status, subscription_id } = await club.checkout(id)
    expect(status).toBe('completed')
    expect(await club.subscription(present(subscription_id))).toMatchObject({
      status: 'trialing',
      details: { firstPaymentId: null },
    })
    await club.pass(6 * minuteMs)
    expect((await club.payment(id)).status).toBe('failed')
    expect((await club.checkout(id)).payment_id).toBeNull()
  })

  it('releases its reservations when a trial is refused', async () => {
    const productId = await club.club({ trialDays: count(7) })
    const [ada, bob] = [someone(), someone()]
    await club.enrol(await club.join(productId, ada), await wallet())
    const reader = await wallet()
    const id = await club.join(productId, bob)
    const signed = reader.sign((await club.offered(id, reader)).transaction_xdr)
    // Bob takes the address over under which Ada has had her trial, and gives it up again.
    const [first] = (await club.billing.customers.list({ ...club.scope, limit: 100 })()).resources.filter(
      ({ email }) => email === ada,
    )
    const { customer_id } = await club.checkout(id)
    const rename = (customerId: string | null | undefined, email: string) =>
      done(club.billing.customers.update(command(club.platform, club.merchantId), present(customerId), { email }))
    await rename(first?.id, someone())
    await rename(customer_id, ada)
    await done(club.billing.payer.submit(id, signed))
    await club.pass()
    expect((await club.state(id)).refusedEnrolments.map(({ reason }) => reason)).toEqual(['trial_taken'])
    const anew = someone()
    await rename(customer_id, anew)
    const quote = await done(club.billing.payer.quote(await club.join(productId, anew)))
    expect(quote.mandate?.trial_days).toBe(7)
  })
})
