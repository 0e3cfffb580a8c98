import { asText, hourMs } from '@quittance/domain'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { units } from '../../testing/wallets.ts'
import { createMailing } from '../mailing.ts'

const dayMs = 24 * hourMs

describe('mails about what happens', () => {
  let club: Club
  beforeEach(async () => {
    club = await openClub()
  })
  afterEach(() => club.close())

  const wants = (changed: { customerMails?: boolean; noticesTo?: string }) => {
    const { noticesTo, ...others } = changed
    const same = {
      legalName: undefined,
      address: undefined,
      taxId: undefined,
      supportContact: undefined,
      terms: undefined,
      logo: undefined,
    }
    const notices = noticesTo === undefined ? {} : { noticesTo: asText(noticesTo) }
    const context = command(club.platform, club.merchantId)
    return done(club.billing.merchantProfiles.change(context, { ...same, ...others, ...notices }))
  }
  /** What has gone out since the last look. */
  let seen = 0
  const mails = async () => {
    await club.platform.shown()
    await createMailing(club.services).settle()
    const sent = club.network.mailbox.sent.slice(seen)
    seen = club.network.mailbox.sent.length
    return sent
  }
  const subjects = async () => (await mails()).map(({ to, subject }) => `${to.address}: ${subject}`)
  beforeEach(() => {
    seen = 0
  })
  const buy = async (email: string) => {
    const { id } = await club.sell(undefined, { id: null, email, phone: null })
    await club.pay(id, [units(10)])
    return club.payment(id)
  }
  const member = async (email: string, trialDays?: number) => {
    const wallet = await club.wallets.wallet(300)
    const checkout = await club.join(await club.club(), email, trialDays)
    await club.enrol(checkout, wallet)
    return { wallet, id: present((await club.checkout(checkout)).subscription_id) }
  }
  const days = async (count: number) => {
    for (let day = 0; day < count; day += 1) {
      await club.pass(dayMs)
      for (let ledgers = 0; ledgers < 3; ledgers += 1) await club.pass()
    }
  }

  it('go out once a merchant wants them, and not before', async () => {
    await buy('ada@club.example')
    expect(await subjects()).toEqual([])
    expect(await wants({ customerMails: true })).toMatchObject({ customer_mails: true, notices_to: null })
    expect(await subjects()).toEqual([])
    const { receipt_url } = await buy('bob@club.example')
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      merchantId: club.merchantId,
      to: { name: null, address: 'bob@club.example' },
      subject: 'Your receipt from A Shop',
      text: expect.stringContaining(`See the receipt: ${receipt_url}\n`),
      html: expect.stringContaining(`<a href="${receipt_url}"`),
    })
    expect(mail?.text).toContain('Your payment of 10 USDC to A Shop is confirmed: A book.')
    expect(await subjects()).toEqual([])
    await wants({ customerMails: false })
    await buy('bob@club.example')
    expect(await subjects()).toEqual([])
  })

  it('go out once, whoever sends them', async () => {
    await wants({ customerMails: true })
    await buy('ada@club.example')
    await club.platform.shown()
    const [one, other] = [createMailing(club.services), createMailing(club.services)]
    await Promise.all([one.settle(), other.settle()])
    await one.settle()
    expect(club.network.mailbox.sent.map(({ subject }) => subject)).toEqual(['Your receipt from A Shop'])
  })

  it('reach nobody who is a guest, or was erased before they went out', async () => {
    await wants({ customerMails: true })
    const { id } = await club.sell()
    await club.pay(id, [units(10)])
    const { customer_id } = await buy('ada@club.example')
    await done(club.billing.customers.remove(command(club.platform, club.merchantId), present(customer_id)))
    expect(await subjects()).toEqual([])
  })

  it('follow a subscription from its trial over a failed payment to its end', async () => {
    await wants({ customerMails: true })
    const { wallet, id } = await member('cleo@club.example', 14)
    await days(13)
    expect(await subjects()).toEqual([
      expect.stringMatching(/^cleo@club.example: Your trial at A Shop ends on .* 2026$/),
    ])
    const view = present(await done(club.network.gateway.accountView(wallet.account, [club.network.usdc.assetId])))
    const all = [present(view.trustlines[0]).balance]
    wallet.pay({ to: club.other.account, asset: club.network.usdc.assetId, parts: all, memo: null })
    await days(3)
    const [failed] = await mails()
    expect(failed?.subject).toBe('Your payment to A Shop failed')
    expect(failed?.text).toMatch(
      /\$10\.00 for A book club from A Shop could not be collected from your wallet\.\n\nIt is tried again on/,
    )
    await days(15)
    const invoiced = (await mails()).at(-1)
    const { invoice_url } = await done(club.billing.subscriptions.retrieve(club.scope, id))
    expect(invoiced?.text).toContain(`Pay now: ${present(invoice_url)}`)
    await club.pay(present(invoice_url).replace(/^.*\/pay\//, ''), [units(10)])
    await club.pass()
    expect(await subjects()).toEqual(['cleo@club.example: Your receipt from A Shop'])
    await done(club.billing.subscriptions.cancel(command(club.platform, club.merchantId), id, 'now'))
    expect(await subjects()).toEqual(['cleo@club.example: Your subscription to A book club has ended'])
  })

  it('tell the merchant of an exception, without naming anybody', async () => {
    await wants({ noticesTo: 'desk@shop.example' })
    await club.pay(null, [units(3)])
    const [notice, ...more] = await mails()
    expect(more).toEqual([])
    expect(notice).toMatchObject({
      to: { name: null, address: 'desk@shop.example' },
      subject: '3 USDC waits for your decision',
    })
    expect(notice?.text).not.toContain(club.payer.account)
  })

  it('take whatever a name holds as text', async () => {
    await wants({ customerMails: true })
    const name = asText('<img src=x onerror=alert(1)>\r\nBcc: all@elsewhere.example \u202egnp.exe')
    const checkout = await club.join(await club.club({ name }), 'dora@club.example')
    await club.enrol(checkout, club.other)
    const [mail] = await mails()
    expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt; Bcc: all@elsewhere.example gnp.exe')
    expect(mail?.html).not.toContain('<img')
    expect(mail?.subject).not.toMatch(/[\r\n]/)
  })
})
