import { Asset, Operation } from '@stellar/stellar-sdk'
import type { Page } from 'playwright-core'
import type { CheckoutPage } from './page/checkout-page.ts'
import { pageSecurityHeaders, renderCheckoutPage } from './page/index.ts'
import { openPage, subscriptionPage } from './page/testing/pages.ts'
import { type Browser, startBrowser } from './testing/browser.ts'
import { openSale } from './testing/sale.ts'
import { type Service, startService } from './testing/service.ts'
import { newPlan, overdueSubscription, subscribe } from './testing/subscriber.ts'
import { fundedWallet, type Wallet, walletOn } from './testing/wallet.ts'
import { type Extension, installExtension } from './testing/wallet-extension.ts'

const testMs = 120_000
const paidMs = 60_000
const noPause = async () => {}

let service: Service
let usdc: string
let rich: Wallet
let browser: Browser
let extension: Extension
beforeAll(async () => {
  service = await startService()
  usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  rich = await fundedWallet(service.facts, [usdc])
  browser = await startBrowser()
  const networkPassphrase = service.facts.network_passphrase
  extension = { wallet: rich, mood: 'willing', networkPassphrase, beforeSigning: noPause, signed: [] }
  await installExtension(browser.context, extension)
}, testMs)
afterAll(async () => {
  await browser.close()
  await service.close()
})
beforeEach(() => {
  browser.complaints.splice(0)
  extension.signed.splice(0)
  const networkPassphrase = service.facts.network_passphrase
  Object.assign(extension, { wallet: rich, mood: 'willing', networkPassphrase, beforeSigning: noPause })
})

type Sale = Pick<Awaited<ReturnType<typeof openSale>>, 'id' | 'checkout' | 'quote'>

/** The page as on a network of others: without the sandbox's own wallet. */
const visit = async (sale: Sale, like: CheckoutPage = openPage): Promise<Page> => {
  const { id, checkout, quote } = sale
  const shown = { ...like, checkoutId: id, quote, isSandbox: false, sandbox: null, expiresAt: checkout.expires_at }
  const body = await renderCheckoutPage({ ...shown, redirectUrl: null })
  const headers = pageSecurityHeaders(shown)
  await browser.context.route(checkout.payment_url, (route) =>
    route.fulfill({ headers, contentType: 'text/html; charset=utf-8', body }),
  )
  return browser.open(checkout.payment_url)
}

const useFreighter = async (page: Page): Promise<void> => {
  await page.getByTestId('pay-with-wallet').click()
  await page.getByTestId('wallet-freighter').click()
}

const isCompleted = (page: Page) =>
  page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })

/** The state that the page shows, once it does, with what it offers next. */
const trouble = async (page: Page, tag: string) => {
  await page.locator(`[data-testid="wallet-trouble"][data-trouble="${tag}"]`).waitFor({ timeout: paidMs })
  const next = await page.locator('[data-testid^="next-"]').evaluateAll((all) => all.map((each) => each.textContent))
  return { title: await page.getByTestId('trouble-title').innerText(), next }
}

/** Pictures of a state as it is seen on a desktop, on a phone and in the dark. */
const pictures = (page: Page, name: string) => browser.pictures(page, name)

const sell = (currency_code: 'USDC' | 'XLM', amount = 5) => openSale(service, { amount, currency_code })

describe('paying with a wallet in the browser', () => {
  it(
    'pays what the page shows, once the wallet has signed it',
    async () => {
      const sale = await sell('USDC')
      const page = await visit(sale)
      await page.getByTestId('pay-with-wallet').click()
      await page.getByTestId('wallet-freighter').waitFor()
      await pictures(page, 'wallet-list')
      await page.getByTestId('wallet-freighter').click()
      await isCompleted(page)
      const { payment_id } = (await service.api(`/checkout/${sale.id}`)).body.data
      expect((await service.api(`/payment/${payment_id}`)).body.data).toMatchObject({
        status: 'confirmed',
        amount: '5 USDC',
        transactions: [{ from: rich.address, hash: await page.getByTestId('transaction-hash').innerText() }],
      })
      expect(browser.complaints).toEqual([])
      await page.close()
    },
    testMs,
  )

  it(
    'pays with another asset of the connected account',
    async () => {
      extension.wallet = await fundedWallet(service.facts)
      const sale = await sell('USDC')
      const page = await visit(sale)
      await useFreighter(page)
      expect(await trouble(page, 'NoTrustline')).toEqual({
        title: 'Your account cannot hold USDC yet',
        next: ['Add it in my wallet', 'Pay with another asset', 'Use another wallet'],
      })
      await pictures(page, 'wallet-no-trustline')
      await page.getByTestId('next-other_asset').click()
      await page.getByTestId('pay-with-XLM').click()
      await isCompleted(page)
      const { payment_id } = (await service.api(`/checkout/${sale.id}`)).body.data
      expect((await service.api(`/payment/${payment_id}`)).body.data).toMatchObject({
        amount: '5 USDC',
        transactions: [{ from: extension.wallet.address }],
      })
      await page.close()
    },
    testMs,
  )

  it(
    'signs the mandate of a subscription',
    async () => {
      const asked = { product_id: await newPlan(service.api), customer_email: 'wallet@example.com' }
      const sale = await openSale(service, asked, 'product')
      const page = await visit(sale, subscriptionPage)
      await useFreighter(page)
      await isCompleted(page)
      expect((await service.api(`/checkout/${sale.id}`)).body.data.subscription_id).toMatch(/^sub_/)
      expect(browser.complaints).toEqual([])
      await page.close()
    },
    testMs,
  )

  it(
    'adds the asset to an account that cannot hold it, and says then that there is too little of it',
    async () => {
      extension.wallet = await fundedWallet(service.facts)
      const page = await visit(await sell('USDC'))
      await useFreighter(page)
      await trouble(page, 'NoTrustline')
      await page.getByTestId('next-add_asset').click()
      expect(await trouble(page, 'TooLittle')).toEqual({
        title: 'There is too little in this account',
        next: ['Try again', 'Pay with another asset', 'Use another wallet'],
      })
      expect(await page.getByTestId('trouble-text').innerText()).toBe(
        'The wallet can spend 0 USDC, and needs 5 USDC. Send it what is missing, and try again.',
      )
      await pictures(page, 'wallet-too-little')
      await extension.wallet.friendbot(usdc)
      await page.getByTestId('next-retry').click()
      await isCompleted(page)
      await page.close()
    },
    testMs,
  )

  it(
    'counts the reserve of the account when XLM is too little',
    async () => {
      const page = await visit(await sell('XLM', 9_999))
      extension.wallet = await fundedWallet(service.facts)
      await useFreighter(page)
      await trouble(page, 'TooLittle')
      expect(await page.getByTestId('trouble-text').innerText()).toMatch(
        /^The wallet can spend 9999 XLM, and needs 9999\.\d+ XLM with the fee\. An account keeps 1 XLM/,
      )
      await page.close()
    },
    testMs,
  )
})

describe('what a subscription asks for later', () => {
  const subscriptionOf = async (id: string) => (await service.api(`/subscriptions/${id}`)).body.data

  /** What the page at an address asks for. */
  const askedAt = async (payment_url: string): Promise<Sale> => {
    const id = payment_url.split('/').at(-1) ?? ''
    const { data: quote } = (await service.anyone(`/pay/${id}/quote`)).body
    return { id, quote, checkout: { payment_url, expires_at: quote.valid_until } }
  }

  /** The account of the customer's latest payment. */
  const customerPaysFrom = async (customer: string): Promise<string> => {
    const [latest] = (await service.api(`/payment?customer=${customer}`)).body.data.data
    return latest.payment_method_details.address
  }

  it(
    'is the payment of an invoice, by another wallet than the one that failed',
    async () => {
      const id = await overdueSubscription(service, `${crypto.randomUUID()}@shop.example`)
      const { status, invoice_url, customer_id } = await subscriptionOf(id)
      expect(status).toBe('overdue')
      const page = await visit(await askedAt(invoice_url), { ...openPage, kind: 'invoice' })
      await pictures(page, 'wallet-invoice')
      await useFreighter(page)
      await isCompleted(page)
      await service.api('/sandbox/advance', { body: { seconds: 1 } })
      expect(await subscriptionOf(id)).toMatchObject({ status: 'active', invoice_url: null })
      expect(await customerPaysFrom(customer_id)).toBe(rich.address)
      expect(browser.complaints).toEqual([])
      await page.close()
    },
    testMs,
  )

  it(
    'is a new mandate, from the wallet that pays from then on',
    async () => {
      const id = await subscribe(service.api, { customer_email: `${crypto.randomUUID()}@shop.example` })
      const { data } = (await service.api(`/subscriptions/${id}/change_wallet`, { method: 'POST' })).body
      const { update_url } = data.authorization
      const page = await visit(await askedAt(update_url), { ...subscriptionPage, kind: 'authorization' })
      expect(await page.getByTestId('pay-with-wallet').innerText()).toBe('Sign with a wallet')
      await pictures(page, 'wallet-authorization')
      await useFreighter(page)
      await isCompleted(page)
      const { authorization, current_period_end, customer_id } = await subscriptionOf(id)
      expect(authorization).toMatchObject({ status: 'active', update_url: null })
      await service.api('/sandbox/advance', { body: { to: current_period_end } })
      await service.api('/sandbox/advance', { body: { seconds: 60 } })
      expect(await customerPaysFrom(customer_id)).toBe(rich.address)
      expect(browser.complaints).toEqual([])
      await page.close()
    },
    testMs,
  )
})

describe('what goes wrong between a page and a wallet', () => {
  it(
    'is said when the wallet is on another network, and can be put right there',
    async () => {
      extension.networkPassphrase = 'Public Global Stellar Network ; September 2015'
      const page = await visit(await sell('USDC'))
      await useFreighter(page)
      expect(await trouble(page, 'WrongNetwork')).toEqual({
        title: 'Freighter is on another network',
        next: ['Try again', 'Use another wallet'],
      })
      await pictures(page, 'wallet-wrong-network')
      extension.networkPassphrase = service.facts.network_passphrase
      await page.getByTestId('next-retry').click()
      await isCompleted(page)
      await page.close()
    },
    testMs,
  )

  it(
    'is said when the owner declines, and nothing was handed in',
    async () => {
      const sale = await sell('USDC')
      const page = await visit(sale)
      extension.mood = 'declines'
      await useFreighter(page)
      expect(await trouble(page, 'Declined')).toEqual({
        title: 'You declined it in Freighter',
        next: ['Try again', 'Use another wallet'],
      })
      await pictures(page, 'wallet-declined')
      expect((await service.api(`/checkout/${sale.id}`)).body.data).toMatchObject({ status: 'open', payment_id: null })
      await page.close()
    },
    testMs,
  )

  it.each([
    ['locked', 'WalletLocked', 'Freighter has not opened an account', ['Try again', 'Use another wallet']],
    ['other signer', 'OtherSigner', 'Freighter signed with another account', ['Try again', 'Use another wallet']],
    ['alters', 'Altered', 'Freighter gave back something else', ['Try again', 'Use another wallet']],
  ] as const)(
    'is said when the wallet is %s: %s',
    async (mood, tag, title, next) => {
      const sale = await sell('USDC')
      const page = await visit(sale)
      extension.mood = mood
      await useFreighter(page)
      expect(await trouble(page, tag)).toEqual({ title, next })
      await pictures(page, `wallet-${mood.replace(' ', '-')}`)
      expect((await service.api(`/checkout/${sale.id}`)).body.data).toMatchObject({ status: 'open', payment_id: null })
      await page.close()
    },
    testMs,
  )

  it(
    'is said when the wallet has gone since it was listed, with where to get it',
    async () => {
      const page = await visit(await sell('USDC'))
      await page.getByTestId('pay-with-wallet').click()
      await page.getByTestId('wallet-freighter').waitFor()
      extension.mood = 'gone'
      await page.getByTestId('wallet-freighter').click()
      expect(await trouble(page, 'WalletMissing')).toEqual({
        title: 'Freighter does not answer',
        next: ['Get this wallet', 'Use another wallet'],
      })
      expect(await page.getByTestId('next-get_wallet').getAttribute('href')).toBe('https://freighter.app')
      await pictures(page, 'wallet-missing')
      await page.close()
    },
    testMs,
  )

  it(
    'lists no wallet that is not there, and says where to get one',
    async () => {
      extension.mood = 'gone'
      const page = await visit(await sell('USDC'))
      await page.getByTestId('pay-with-wallet').click()
      await page.getByTestId('wallet-offers').waitFor({ state: 'attached' })
      await page.getByText('No wallet was found in this browser.').waitFor()
      expect(await page.getByTestId('wallet-freighter').count()).toBe(0)
      expect(await page.getByTestId('get-freighter').getAttribute('href')).toBe('https://freighter.app')
      await pictures(page, 'wallet-none')
      await page.close()
    },
    testMs,
  )

  it(
    'is said when the wallet is silent, and what it signs later is thrown away',
    async () => {
      const sale = await sell('USDC')
      const page = await visit(sale)
      await page.clock.install()
      extension.mood = 'silent'
      await useFreighter(page)
      await page.locator('[data-step="signature"][data-state="active"]').waitFor()
      await pictures(page, 'wallet-waiting')
      await page.clock.fastForward(241_000)
      expect(await trouble(page, 'WalletSilent')).toEqual({
        title: 'Freighter has not answered in time',
        next: ['Try again', 'Use another wallet'],
      })
      expect((await service.api(`/checkout/${sale.id}`)).body.data).toMatchObject({ status: 'open', payment_id: null })
      await page.close()
    },
    testMs,
  )

  it(
    'can be ended by the payer, who does not want to wait for the wallet',
    async () => {
      const page = await visit(await sell('USDC'))
      extension.mood = 'silent'
      await useFreighter(page)
      await page.locator('[data-step="signature"][data-state="active"]').waitFor()
      await page.getByTestId('wallet-stop').click()
      await page.getByTestId('wallet-freighter').waitFor()
      expect(await page.getByTestId('wallet-steps').isVisible()).toBe(false)
      await page.close()
    },
    testMs,
  )

  it(
    'is said when the account is not on the network',
    async () => {
      extension.wallet = walletOn(service.facts)
      const page = await visit(await sell('USDC'))
      await useFreighter(page)
      expect(await trouble(page, 'NoAccount')).toEqual({
        title: 'This account is not on the network yet',
        next: ['Try again', 'Use another wallet'],
      })
      await page.close()
    },
    testMs,
  )

  it(
    'is said when the ledger does not carry out what was signed',
    async () => {
      const poor = await fundedWallet(service.facts)
      extension.wallet = poor
      // While the owner reads, another transaction takes the money.
      extension.beforeSigning = async () => {
        const { address: destination } = rich
        const drain = Operation.payment({ source: poor.address, destination, asset: Asset.native(), amount: '9990' })
        const transaction = await rich.build([drain])
        transaction.sign(poor.keypair)
        expect((await rich.send(transaction)).status).toBe('SUCCESS')
      }
      const page = await visit(await sell('XLM', 100))
      await useFreighter(page)
      expect(await trouble(page, 'FailedOnLedger')).toEqual({
        title: 'The network did not carry it out',
        next: ['Try again', 'Pay with another asset', 'Use another wallet'],
      })
      expect(await page.getByTestId('trouble-text').innerText()).toBe(
        'The account had too little left when the ledger came to it. Nothing was paid but the network’s fee.',
      )
      await pictures(page, 'wallet-failed-on-ledger')
      await page.close()
    },
    testMs,
  )

  it(
    'does not invite to pay twice when nobody knows what became of it',
    async () => {
      const page = await visit(await sell('USDC'))
      await page.route('**/submit', (route) => route.abort())
      await page.clock.install()
      await useFreighter(page)
      await page.locator('[data-step="submission"][data-state="active"]').waitFor()
      for (let attempt = 1; attempt < 6; attempt += 1) await page.clock.runFor(5_000)
      expect(await trouble(page, 'Unsure')).toEqual({ title: 'It may still arrive', next: ['Look again'] })
      for (const invitation of ['pay-with-wallet', 'qr', 'open-wallet', 'address'])
        expect([invitation, await page.getByTestId(invitation).isVisible()]).toEqual([invitation, false])
      await pictures(page, 'wallet-unsure')
      await page.close()
    },
    testMs,
  )
})
