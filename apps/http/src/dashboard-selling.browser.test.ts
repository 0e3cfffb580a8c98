import type { Page } from 'playwright-core'
import { type Browser, startBrowser } from './testing/browser.ts'
import { complaintsBut, settled } from './testing/dashboard.ts'
import { eventually } from './testing/eventually.ts'
import { listener } from './testing/listener.ts'
import { openSale } from './testing/sale.ts'
import { type Service, startService } from './testing/service.ts'
import { newPlan, subscribe } from './testing/subscriber.ts'
import { fundedWallet } from './testing/wallet.ts'

const testMs = 120_000
const paidMs = 60_000

let service: Service
let browser: Browser
beforeAll(async () => {
  service = await startService()
  browser = await startBrowser()
}, testMs)
afterAll(async () => {
  await browser.close()
  await service.close()
})
beforeEach(() => {
  browser.complaints.splice(0)
})

const dashboard = async (path: string): Promise<Page> => {
  const page = await browser.open(`${service.url}/dashboard${path}`)
  await settled(page)
  return page
}
const reloaded = async (page: Page): Promise<void> => {
  await page.reload()
  await settled(page)
}
const isPaid = (page: Page) =>
  page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })
const fact = (page: Page, name: string) =>
  page
    .locator('.facts > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
const figure = (page: Page, name: string) => page.locator('.figures > div').filter({ hasText: name }).locator('dd')

type Entry = {
  readonly id: string
  readonly what: string
  readonly type: string
  readonly command_id: string
  readonly actor_type: string
  readonly transaction_hash: string | null
  readonly ledger: number | null
  readonly deliveries: ReadonlyArray<{ readonly event_type: string; readonly status: string }>
}
const timelineOf = async (subscription: string): Promise<ReadonlyArray<Entry>> =>
  (await service.api(`/subscriptions/${subscription}/timeline?limit=100`)).body.data.data

describe('selling in the dashboard', () => {
  it(
    'counts a renewal that failed as recovered once its customer has followed the mail to the invoice and paid',
    async () => {
      const email = `${crypto.randomUUID()}@example.com`
      const id = await subscribe(service.api, { customer_email: email }, { name: 'Reading club' })
      const subscription = async () => (await service.api(`/subscriptions/${id}`)).body.data
      const { customer_id, asset_id } = await subscription()
      const [{ payment_method_details }] = (await service.api(`/payment?customer=${customer_id}`)).body.data.data
      const expired_allowance = { account: payment_method_details.address, asset_id }
      await service.api('/sandbox/faults', { body: { expired_allowance } })

      const page = await dashboard('')
      const clock = page.locator('.sandbox-clock')
      const move = async (by: string) => {
        const before = await clock.locator('time').getAttribute('datetime')
        await clock.getByRole('button', { name: by }).click()
        await eventually(
          () => clock.locator('time').getAttribute('datetime'),
          (now) => now !== before,
        )
      }
      await move('Move on a month')
      for (let days = 0; days < 10 && (await subscription()).status !== 'overdue'; days += 1)
        await move('Move on a day')
      expect(await subscription()).toMatchObject({ status: 'overdue', invoice_url: expect.stringContaining('/pay/') })
      await service.api('/sandbox/faults', { body: {} })
      await reloaded(page)
      expect(await figure(page, 'Failed renewals').innerText()).toBe('1\n0 recovered')

      const inbox = await browser.open(`${service.url}/sandbox/inbox`)
      const mail = inbox
        .getByTestId('mail')
        .filter({ hasText: email })
        .filter({ hasText: /Your payment to .* failed/ })
        .first()
      await mail.locator('summary').first().click()
      const opened = browser.context.waitForEvent('page')
      await browser.picture(inbox, 'inbox-failed-renewal')
      await mail.frameLocator('iframe').getByRole('link', { name: 'Pay now' }).click()
      const invoice = await opened
      expect(invoice.url()).toBe((await subscription()).invoice_url)
      await invoice.getByTestId('pay-with-sandbox-wallet').click()
      await isPaid(invoice)
      await invoice.close()
      await inbox.close()

      await eventually(subscription, ({ status }) => status === 'active')
      await reloaded(page)
      expect(await figure(page, 'Failed renewals').innerText()).toBe('1\n1 recovered')
      await browser.picture(page, 'dashboard-home-recovered')
      await page.goto(`${service.url}/dashboard/subscriptions/${id}`)
      const entries = page.getByTestId('timeline').locator('> li')
      await entries.first().waitFor()
      expect(await fact(page, 'Status').innerText()).toBe('Active')
      expect(await entries.locator('.what').allInnerTexts()).toEqual((await timelineOf(id)).map(({ what }) => what))
      expect(await page.getByTestId('timeline').innerText()).toContain('InvoiceSettled')
      await browser.picture(page, 'dashboard-subscription-recovered')
      expect(complaintsBut(browser, 401)).toEqual([])
      await page.close()
    },
    2 * testMs,
  )

  it(
    'shows who subscribed by one signature, with command, event, ledger transaction and webhook',
    async () => {
      const programs = await listener()
      const page = await dashboard('/webhooks')
      await page.getByTestId('new-webhook').first().click()
      await page.getByLabel('Name').fill('Our shop')
      await page.getByLabel('Address').fill(programs.url)
      await page.getByRole('dialog').getByRole('button', { name: 'New webhook' }).click()
      expect(await page.getByTestId('secret').innerText()).toMatch(/^whsec_/)

      const product = await newPlan(service.api, { name: 'A book every month', price_amount: 9 })
      await page.goto(`${service.url}/dashboard/products/${product}`)
      await page.getByTestId('new-checkout').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create checkout link' }).click()
      const payer = await browser.open(await page.getByTestId('payment-url').innerText())
      await payer.getByTestId('email').fill('reader@example.com')
      await payer.getByTestId('say-who').click()
      await payer.getByTestId('pay-with-sandbox-wallet').click()
      await isPaid(payer)
      await payer.close()
      await page.getByTestId('paid').waitFor({ timeout: paidMs })
      await page.getByRole('link', { name: 'Show the subscription' }).click()
      await page.getByRole('heading', { name: 'Subscription', exact: true }).waitFor()
      const id = page.url().split('/').at(-1) ?? ''
      expect((await service.api(`/subscriptions/${id}`)).body.data).toMatchObject({
        status: 'active',
        product_id: product,
      })

      const isTold = (all: ReadonlyArray<Entry>) =>
        all.some(({ deliveries }) => deliveries.some(({ status }) => status === 'delivered')) &&
        all.every(({ deliveries }) => deliveries.every(({ status }) => status === 'delivered'))
      const told = await eventually(() => timelineOf(id), isTold)
      await reloaded(page)
      const entries = page.getByTestId('timeline').locator('> li')
      await entries.first().waitFor()
      expect(await entries.locator('.what').allInnerTexts()).toEqual(told.map(({ what }) => what))
      const paidAt = told.findIndex(({ ledger }) => ledger !== null)
      const paid = told[paidAt]
      expect(paid?.ledger).toBeGreaterThan(0)
      const traces = entries.nth(paidAt).locator('.traces')
      expect(await traces.innerText()).toContain(`in ledger ${paid?.ledger}`)
      expect(await traces.locator('code').first().getAttribute('title')).toBe(paid?.transaction_hash)
      const createdAt = told.findIndex(({ deliveries }) =>
        deliveries.some(({ event_type }) => event_type === 'subscription.created'),
      )
      const created = entries.nth(createdAt)
      expect(await created.locator('.traces').innerText()).toContain('subscription.created Delivered')
      await created.getByText('Details').click()
      const { id: event, command_id } = told[createdAt] ?? {}
      expect(await created.locator('.small-facts dd').allInnerTexts()).toEqual(
        expect.arrayContaining([event, command_id]),
      )
      await browser.picture(page, 'dashboard-subscription')
      expect(programs.types()).toEqual(expect.arrayContaining(['subscription.created', 'payment.confirmed']))
      expect(complaintsBut(browser, 401)).toEqual([])
      await page.close()
      await programs.close()
    },
    testMs,
  )

  it(
    'shows a checkout that was paid in two parts, and its payer a receipt',
    async () => {
      const book = { name: 'The Art of the Ledger', type: 'one_time', currency_code: 'USD', price_amount: 5 }
      const product = (await service.api('/product', { body: book })).body.data.id
      const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
      const wallet = await fundedWallet(service.facts, [usdc])
      const sale = await openSale(service, { product_id: product }, 'product')
      const page = await dashboard(`/checkouts/${sale.id}`)
      const payer = await browser.open(sale.checkout.payment_url)
      const first = await wallet.pay({ ...sale, amount: '2' })
      await payer.locator('[data-testid="amount"][data-value="3"]').waitFor({ timeout: paidMs })
      const second = await wallet.pay({ ...sale, amount: '3' })
      await isPaid(payer)
      await payer.getByTestId('receipt').click()
      const receipt = payer.locator('article[data-testid="receipt"]')
      await receipt.waitFor()
      await browser.picture(payer, 'receipt-two-parts')
      for (const hash of [first.hash, second.hash]) expect(await receipt.innerText()).toContain(hash)
      expect(await receipt.innerText()).toContain('The Art of the Ledger')
      await payer.close()

      await page.getByTestId('paid').waitFor({ timeout: paidMs })
      const { payment_id } = (await service.api(`/checkout/${sale.id}`)).body.data
      const { status, amount, transactions } = (await service.api(`/payment/${payment_id}`)).body.data
      expect({ status, amount, parts: transactions.map((each: { hash: string }) => each.hash) }).toEqual({
        status: 'confirmed',
        amount: '5 USDC',
        parts: [first.hash, second.hash],
      })
      await page.getByRole('link', { name: 'Show the payment' }).click()
      await settled(page)
      expect(await fact(page, 'Transaction').getByRole('paragraph').allInnerTexts()).toEqual([
        expect.stringContaining(`2 USDC ${first.hash} in ledger `),
        expect.stringContaining(`3 USDC ${second.hash} in ledger `),
      ])
      const timeline = page.getByTestId('timeline')
      await timeline.locator('> li').first().waitFor()
      for (const hash of [first.hash, second.hash])
        expect(await timeline.locator(`code[title="${hash}"]`).count()).toBeGreaterThan(0)
      await browser.picture(page, 'dashboard-payment-two-parts')
      expect(complaintsBut(browser, 401)).toEqual([])
      await page.close()
    },
    testMs,
  )

  it(
    'shows that a customer has canceled in the portal, whose link the dashboard has made',
    async () => {
      const email = `${crypto.randomUUID()}@example.com`
      const id = await subscribe(service.api, { customer_email: email }, { name: 'Reading club' })
      const { customer_id } = (await service.api(`/subscriptions/${id}`)).body.data
      const page = await dashboard(`/customers/${customer_id}`)
      await page.getByRole('button', { name: 'Open portal link' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Open portal link' }).click()
      const portal = await browser.open(await page.getByTestId('secret').innerText())
      await portal.getByTestId('cancelling').locator('summary').click()
      await portal.getByTestId('cancel').click()
      await portal.getByText('Ends soon', { exact: true }).waitFor()
      await portal.close()
      await page.goto(`${service.url}/dashboard/subscriptions/${id}`)
      await settled(page)
      expect(await fact(page, 'Ends with the period').innerText()).toBe('Yes')
      await page.getByRole('button', { name: 'Undo cancellation' }).waitFor()
      const last = (await timelineOf(id)).at(-1)
      expect(last).toMatchObject({ actor_type: 'customer' })
      const entry = page.getByTestId('timeline').locator('> li').last()
      expect(await entry.locator('.what').innerText()).toBe(last?.what)
      expect(await entry.innerText()).toContain('Customer')
      await browser.picture(page, 'dashboard-subscription-canceled')
      expect((await service.api(`/subscriptions/${id}`)).body.data).toMatchObject({
        status: 'active',
        cancel_at_period_end: true,
      })
      expect(complaintsBut(browser, 401)).toEqual([])
      await page.close()
    },
    testMs,
  )
})
