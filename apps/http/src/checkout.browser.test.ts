import { createServer, type Server } from 'node:http'
import { pageSecurityHeaders, renderCheckoutPage, renderQr } from './page/index.ts'
import { openPage, subscriptionPage } from './page/testing/pages.ts'
import { type Browser, startBrowser } from './testing/browser.ts'
import { eventually } from './testing/eventually.ts'
import { openSale } from './testing/sale.ts'
import { type Service, startService } from './testing/service.ts'
import { fundedWallet } from './testing/wallet.ts'

const testMs = 120_000
const paidMs = 60_000

let service: Service
let browser: Browser
let shop: Server
let shopUrl: string
beforeAll(async () => {
  shop = createServer((_request, response) => response.end('<title>Shop</title><h1>Thank you</h1>'))
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const address = shop.address()
  shopUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  service = await startService()
  browser = await startBrowser()
}, testMs)
afterAll(async () => {
  await browser.close()
  await service.close()
  shop.closeAllConnections()
  await new Promise((resolve) => shop.close(resolve))
})
beforeEach(() => {
  browser.complaints.splice(0)
})

const createProduct = async (change: object = {}) => {
  const book = { name: 'The Art of the Ledger', type: 'one_time', currency_code: 'EUR', price_amount: 12.5, ...change }
  return (await service.api('/product', { body: book })).body.data
}

describe('the checkout page in a browser', () => {
  it(
    'leads a customer from the price to the paid state and back to the merchant, who then finds payment and access',
    async () => {
      const product = await createProduct({ description: 'Three hundred pages on double entry' })
      const asked = {
        product_id: product.id,
        customer_email: 'ada@example.com',
        redirect_url: `${shopUrl}/thanks?order=1`,
      }
      const { id, checkout, quote } = await openSale(service, asked, 'product')
      const page = await browser.open(checkout.payment_url)
      expect(await page.getByTestId('product').innerText()).toBe('The Art of the Ledger')
      expect(await page.getByTestId('amount').getAttribute('data-value')).toBe(quote.amount_due)
      expect(await page.getByTestId('address').innerText()).toBe(quote.destination)
      expect(await page.getByTestId('memo').innerText()).toBe(quote.memo)
      expect(await page.getByTestId('open-wallet').getAttribute('href')).toBe(quote.sep7_uri)
      expect(await page.getByTestId('qr').locator('path').first().getAttribute('d')).toBe(
        /<path[^>]* d="([^"]*)"/.exec(await renderQr(quote.sep7_uri))?.[1],
      )
      expect((await page.getByTestId('qr').boundingBox())?.width).toBeGreaterThan(120)
      expect(await page.content()).not.toContain('ada@example.com')
      await browser.picture(page, 'checkout-open')

      await page.getByTestId('pay-with-sandbox-wallet').click()
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })
      await page.getByTestId('return-link').waitFor()
      await browser.picture(page, 'checkout-paid')
      const hash = await page.getByTestId('transaction-hash').innerText()
      expect(browser.complaints).toEqual([])

      await page.waitForURL(`${shopUrl}/**`, { timeout: paidMs })
      expect(page.url()).toBe(`${shopUrl}/thanks?order=1&checkout_id=${id}`)
      const completed = (await service.api(`/checkout/${id}`)).body.data
      expect(completed.status).toBe('completed')
      expect((await service.api(`/payment/${completed.payment_id}`)).body.data).toMatchObject({
        status: 'confirmed',
        transaction_hash: hash,
        amount: '13.5 USDC',
      })
      const access = await service.api(`/customers/${completed.customer_id}/access/${product.id}`)
      expect(access.body).toMatchObject({ has_access: true, grant: { payment_id: completed.payment_id } })
      await page.close()
    },
    testMs,
  )

  it(
    'shows a payment from another wallet, and the rest due after a partial payment',
    async () => {
      const sale = await openSale(service)
      const page = await browser.open(sale.checkout.payment_url)
      const wallet = await fundedWallet(service.facts)
      await wallet.pay({ ...sale, amount: '2' })
      await page.locator('[data-testid="amount"][data-value="3"]').waitFor({ timeout: paidMs })
      await browser.picture(page, 'checkout-partly-paid')
      await wallet.pay({ ...sale, amount: '3' })
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })
      expect(browser.complaints).toEqual([])
      await page.close()
    },
    testMs,
  )

  it(
    'pays a USDC price with XLM through the market, and returns the payer to the merchant',
    async () => {
      const product = await createProduct()
      const asked = { product_id: product.id, redirect_url: `${shopUrl}/thanks` }
      const { id, checkout } = await openSale(service, asked, 'product')
      const page = await browser.open(checkout.payment_url)
      await page.getByTestId('other-assets').locator('summary').click()
      const xlm = page.getByTestId('pay-with-XLM')
      await xlm.waitFor({ timeout: paidMs })
      expect(await xlm.innerText()).toMatch(/XLM\s+at most 5\d\.\d+ XLM/)
      await browser.picture(page, 'checkout-other-assets')
      await page.setViewportSize({ width: 375, height: 800 })
      await browser.picture(page, 'checkout-other-assets-phone')
      await xlm.click()
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })
      expect(browser.complaints).toEqual([])
      await page.waitForURL(`${shopUrl}/**`, { timeout: paidMs })
      const completed = (await service.api(`/checkout/${id}`)).body.data
      expect((await service.api(`/payment/${completed.payment_id}`)).body.data).toMatchObject({
        status: 'confirmed',
        amount: '13.5 USDC',
      })
      await page.close()
    },
    testMs,
  )

  const createClub = () =>
    createProduct({ name: 'A book every month', type: 'subscription', recurring_period: 'month', trial_days: 14 })

  it(
    'asks for the subscriber, and subscribes with one signature of plain terms',
    async () => {
      const product = await createClub()
      const asked = { product_id: product.id, redirect_url: `${shopUrl}/thanks` }
      const { id, checkout } = await openSale(service, asked, 'product')
      const page = await browser.open(checkout.payment_url)
      await page.getByTestId('email').fill('reader@example.com')
      await page.getByTestId('say-who').click()
      await page.getByTestId('pay-with-sandbox-wallet').waitFor()
      expect(await page.content()).not.toContain('reader@example.com')
      expect(await page.getByTestId('price').innerText()).toBe('€12.50 every month')
      expect(await page.getByTestId('mandate-now').innerText()).toMatch(
        /^You pay nothing now\. The first 14 days are free/,
      )
      expect(await page.getByTestId('mandate-later').innerText()).toContain('never more than 14.85 USDC')
      expect(await page.getByTestId('mandate-end').innerText()).toContain('with the seller or from your wallet')
      expect(await page.getByTestId('address').count()).toBe(0)
      await browser.picture(page, 'checkout-subscription')
      await page.setViewportSize({ width: 375, height: 800 })
      await browser.picture(page, 'checkout-subscription-phone')

      await page.getByTestId('pay-with-sandbox-wallet').click()
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })
      await page.setViewportSize({ width: 1_100, height: 1_000 })
      await browser.picture(page, 'checkout-subscribed')
      expect(await page.getByTestId('status').innerText()).toBe('Your subscription has begun')
      expect(browser.complaints).toEqual([])
      await page.waitForURL(`${shopUrl}/**`, { timeout: paidMs })
      const completed = (await service.api(`/checkout/${id}`)).body.data
      expect(completed).toMatchObject({ status: 'completed', payment_id: null })
      expect(completed.subscription_id).toMatch(/^sub_/)
      await page.close()
    },
    testMs,
  )

  it(
    'tells a wallet that had its trial that it pays at once, and lets it sign only after that',
    async () => {
      const product = await createClub()
      const subscribe = async (email: string) => {
        const { id, checkout } = await openSale(service, { product_id: product.id, customer_email: email }, 'product')
        const page = await browser.open(checkout.payment_url)
        const button = page.getByTestId('pay-with-sandbox-wallet')
        await button.waitFor()
        await button.click()
        return { id, page, button }
      }
      const first = await subscribe('one@example.com')
      await first.page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })
      await first.page.close()
      const { id, page, button } = await subscribe('two@example.com')
      await page.getByTestId('sandbox-error').waitFor()
      expect(await page.getByTestId('sandbox-error').innerText()).toMatch(
        /^This wallet, or its owner, has had the trial .* Press again if you agree\.$/,
      )
      expect(await page.getByTestId('mandate-now').innerText()).toBe('You pay 13.5 USDC now.')
      await browser.picture(page, 'checkout-subscription-without-trial')
      expect((await service.api(`/checkout/${id}`)).body.data.status).toBe('open')
      await button.click()
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })
      const { payment_id } = (await service.api(`/checkout/${id}`)).body.data
      expect((await service.api(`/payment/${payment_id}`)).body.data).toMatchObject({ amount: '13.5 USDC' })
      expect(browser.complaints).toEqual([])
      await page.close()
    },
    testMs,
  )

  it(
    'shows the assets of a named account, and how to sign in its wallet',
    async () => {
      const { id, checkout, quote } = await openSale(service, { amount: 5, currency_code: 'USDC' })
      const wallet = await fundedWallet(service.facts)
      const realNetwork = { ...openPage, checkoutId: id, quote, isSandbox: false, sandbox: null }
      const headers = pageSecurityHeaders(realNetwork)
      const body = await renderCheckoutPage({ ...realNetwork, expiresAt: checkout.expires_at })
      await browser.context.route(checkout.payment_url, (route) =>
        route.fulfill({ headers, contentType: 'text/html; charset=utf-8', body }),
      )
      const page = await browser.open(checkout.payment_url)
      await page.getByTestId('other-assets').locator('summary').click()
      await page.getByTestId('account').fill('G123')
      await page.getByTestId('show-assets').click()
      await page.getByTestId('assets-error').waitFor()
      expect(await page.getByTestId('assets-error').innerText()).toContain('a Stellar account')
      browser.complaints.splice(0)
      await page.getByTestId('account').fill(wallet.address)
      await page.getByTestId('show-assets').click()
      await page.getByTestId('pay-with-XLM').click()
      await page.getByTestId('sign-link').waitFor()
      expect(await page.getByTestId('sign-link').getAttribute('href')).toMatch(/^web\+stellar:tx\?xdr=/)
      await browser.picture(page, 'checkout-other-assets-account')
      expect(browser.complaints).toEqual([])
      await page.close()
      await browser.context.unroute(checkout.payment_url)
    },
    testMs,
  )

  it(
    'lets the wallet of a named account sign the mandate',
    async () => {
      const product = await createClub()
      const asked = { product_id: product.id, customer_email: 'own-wallet@example.com' }
      const { id, checkout, quote } = await openSale(service, asked, 'product')
      const wallet = await fundedWallet(service.facts)
      const realNetwork = { ...subscriptionPage, checkoutId: id, quote, isSandbox: false, sandbox: null }
      const headers = pageSecurityHeaders(realNetwork)
      const body = await renderCheckoutPage({ ...realNetwork, expiresAt: checkout.expires_at })
      await browser.context.route(checkout.payment_url, (route) =>
        route.fulfill({ headers, contentType: 'text/html; charset=utf-8', body }),
      )
      const page = await browser.open(checkout.payment_url)
      await page.getByTestId('elsewhere').locator('summary').click()
      await page.getByTestId('subscriber').fill('G123')
      await page.getByTestId('prepare').click()
      await page.getByTestId('subscriber-error').waitFor()
      browser.complaints.splice(0)
      await page.getByTestId('subscriber').fill(wallet.address)
      await page.getByTestId('prepare').click()
      await page.getByTestId('sign-link').waitFor()
      expect(await page.getByTestId('sign-link').getAttribute('href')).toMatch(/^web\+stellar:tx\?xdr=/)
      await browser.picture(page, 'checkout-subscription-account')
      expect(browser.complaints).toEqual([])
      await page.close()
      await browser.context.unroute(checkout.payment_url)
    },
    testMs,
  )

  it(
    'shows an expired session as expired, while it is open and when it is opened again',
    async () => {
      const { id, checkout } = await openSale(service)
      const page = await browser.open(checkout.payment_url)
      await page.getByTestId('pay-with-sandbox-wallet').waitFor()
      await service.api(`/checkout/${id}/expire`, { method: 'POST' })
      await page.locator('[data-testid="status"][data-status="expired"]').waitFor({ timeout: paidMs })
      expect(await page.getByTestId('pay-with-sandbox-wallet').isVisible()).toBe(false)
      await page.reload()
      expect(await page.getByTestId('status').getAttribute('data-status')).toBe('expired')
      expect(await page.getByTestId('address').count()).toBe(0)
      await browser.picture(page, 'checkout-expired')
      expect(browser.complaints).toEqual([])
      await page.close()
    },
    testMs,
  )

  it(
    "counts down by the sandbox's clock, even before the network answers",
    async () => {
      await service.api('/sandbox/advance', { body: { seconds: 4 * 24 * 3600 } })
      const product = await createProduct()
      const { checkout } = await openSale(service, { product_id: product.id }, 'product')
      await browser.context.route(`${service.facts.rpc_url}**`, () => {})
      const page = await browser.open(checkout.payment_url)
      const timer = await eventually(
        () => page.getByTestId('quote-timer').innerText(),
        (text) => text.includes('left'),
      )
      expect(timer).toMatch(/\(1[0-5]:\d\d left\)/)
      expect(browser.complaints).toEqual([])
      await page.close()
      await browser.context.unroute(`${service.facts.rpc_url}**`)
    },
    testMs,
  )

  it('the page shows that a checkout does not exist', async () => {
    const page = await browser.open(`${service.url}/pay/chk_0000000000000000000000`)
    expect(await page.getByTestId('not-found').innerText()).toContain('does not exist')
    await browser.picture(page, 'checkout-not-found')
    await page.close()
  })

  it(
    'shows a hostile product name as text',
    async () => {
      const name = '"><img src=x onerror="document.title=1"><script>document.title=2</script>'
      const product = await createProduct({ name, description: '</script><script>document.title=3</script>' })
      const { checkout } = await openSale(service, { product_id: product.id }, 'product')
      const page = await browser.open(checkout.payment_url)
      await eventually(
        async () => page.getByTestId('pay-with-sandbox-wallet').isVisible(),
        (isVisible) => isVisible,
      )
      expect(await page.getByTestId('product').innerText()).toBe(name)
      expect(await page.title()).toContain(name)
      expect(await page.locator('img[src="x"]').count()).toBe(0)
      await browser.picture(page, 'checkout-hostile-name')
      expect(browser.complaints).toEqual([])
      await page.close()
    },
    testMs,
  )
})

/** The element that has the focus: its test id, or else its text. */
const focused =
  "document.activeElement?.getAttribute('data-testid') ?? document.activeElement?.textContent?.trim() ?? ''"

describe('a checkout by the keyboard alone', () => {
  it(
    'leads through everything in order, shows the focus, traps it nowhere, and pays',
    async () => {
      const product = await createProduct({ name: 'A book for the keyboard' })
      const { id, checkout } = await openSale(service, { product_id: product.id }, 'product')
      const page = await browser.open(`${checkout.payment_url}?lang=de`)
      await page.getByTestId('pay-with-sandbox-wallet').waitFor()
      const reached: Array<string> = []
      for (let step = 0; step < 30 && !reached.includes('lang-en'); step++) {
        await page.keyboard.press('Tab')
        reached.push(String(await page.evaluate(focused)))
        const outline = await page.evaluate(
          "(({ outlineStyle, outlineWidth }) => outlineStyle + ' ' + outlineWidth)(getComputedStyle(document.activeElement))",
        )
        expect([reached.at(-1), outline]).toEqual([reached.at(-1), 'solid 3px'])
      }
      expect(reached).toEqual([
        'pay-with-sandbox-wallet',
        'open-wallet',
        'Mit einem anderen Asset bezahlen',
        'copy-amount',
        'copy-address',
        'copy-memo',
        'Asset und Wechselkurs',
        'lang-en',
      ])
      while ((await page.evaluate(focused)) !== 'pay-with-sandbox-wallet') await page.keyboard.press('Shift+Tab')
      await browser.picture(page, 'checkout-keyboard-focus')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await page.getByTestId('pay-with-XLM').waitFor({ timeout: paidMs })
      await page.keyboard.press('Tab')
      expect(await page.evaluate(focused)).toMatch(/^pay-with-/)
      await browser.picture(page, 'checkout-keyboard-assets')
      for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+Tab')
      expect(await page.evaluate(focused)).toBe('pay-with-sandbox-wallet')
      await page.keyboard.press('Enter')
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })
      // The button is gone, and the focus is where the outcome is told.
      expect(await page.evaluate(focused)).toBe('checkout')
      const announced = page.getByRole('status').filter({ hasText: 'Zahlung eingegangen' })
      expect(await announced.getAttribute('data-testid')).toBe('status')
      await page.keyboard.press('Tab')
      expect(await page.evaluate(focused)).toBe('copy-transaction-hash')
      await browser.picture(page, 'checkout-keyboard-paid')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByTestId('receipt').and(page.locator('article')).waitFor()
      expect(page.url()).toBe(`${service.url}/pay/${id}/receipt?lang=de`)
      expect(await page.title()).toMatch(/^Beleg · /)
      expect(browser.complaints).toEqual([])
      await page.close()
    },
    testMs,
  )
})
