import type { Page } from 'playwright-core'
import QRCode from 'qrcode'
import { type Browser, startBrowser } from './testing/browser.ts'
import { eventually } from './testing/eventually.ts'
import { type PublicShop, startPublicShop } from './testing/public-shop.ts'
import { openSale } from './testing/sale.ts'
import { installAlbedo } from './testing/wallets/albedo.ts'
import { installHana } from './testing/wallets/hana.ts'
import { installLedger } from './testing/wallets/ledger.ts'
import { installLobstr } from './testing/wallets/lobstr.ts'
import type { Owner } from './testing/wallets/owner.ts'
import { type Relay, startRelay } from './testing/wallets/relay.ts'
import { scanWith, type WalletLog } from './testing/wallets/wallet-connect.ts'
import { installXBull } from './testing/wallets/xbull.ts'

const testMs = 120_000
const paidMs = 60_000

const projectId = '0123456789abcdef0123456789abcdef'

let relay: Relay
let shop: PublicShop
let browser: Browser
let owner: Owner
beforeAll(async () => {
  relay = await startRelay()
  shop = await startPublicShop({
    QUITTANCE_WALLETCONNECT_PROJECT_ID: projectId,
    QUITTANCE_WALLETCONNECT_RELAY_URL: relay.url,
  })
  browser = await startBrowser({ blocksWindows: true })
  owner = { wallet: await shop.payer(), isWilling: true, asked: [] }
  for (const install of [installAlbedo, installHana, installLedger, installLobstr, installXBull])
    await install(browser.context, owner)
  await browser.context.exposeFunction('pressIsAsked', () => pressIsAsked())
  await browser.context.addInitScript({ content: presses })
}, testMs)
afterAll(async () => {
  await browser.close()
  await shop.close()
  await relay.close()
})
beforeEach(() => {
  browser.complaints.splice(0)
  owner.asked.splice(0)
  owner.isWilling = true
})

/** Tells when the page asks for a press. To look at the page would count as one: the driver evaluates as if a person acted. */
const presses = `addEventListener('DOMContentLoaded', () => {
  const button = document.querySelector('#wallet-continue')
  if (button === null) return
  const tell = () => button.hidden || pressIsAsked()
  new MutationObserver(tell).observe(button, { attributeFilter: ['hidden'] })
})`
let pressIsAsked = (): void => {}

const nothing = async (_page: Page): Promise<void> => {}

/** In each window of Albedo the owner confirms; for the second one, the page asks for a press. */
const inAlbedo = async (page: Page): Promise<void> => {
  const confirm = async (window: Promise<Page>) => {
    const opened = await window
    await opened.locator('#confirm').click()
  }
  const asked = new Promise<void>((resolve) => {
    pressIsAsked = resolve
  })
  await confirm(lastWindow())
  await asked
  await browser.pictures(page, 'wallet-continue')
  expect(await page.getByTestId('wallet-continue').innerText()).toBe('Continue in Albedo')
  const second = browser.context.waitForEvent('page')
  await page.getByTestId('wallet-continue').click()
  await confirm(second)
}

const lastWindow = async (): Promise<Page> => {
  const isAlbedo = (each: Page) => each.url().startsWith('https://albedo.link')
  return browser.context.pages().find(isAlbedo) ?? browser.context.waitForEvent('page')
}

/** What the wallet on the other device has seen. */
const log: WalletLog = { pages: [], ended: [] }

/** The dark squares of the code on the page, as a scanner sees them. */
const squares = (page: Page) =>
  page
    .locator('#pairing-qr path')
    .last()
    .evaluate((path) => path.getAttribute('d')?.split('M').slice(1).sort())

const squaresOf = (text: string) => {
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: 'L' }).modules
  const found = [...data].flatMap((isDark, index) =>
    isDark ? [`${4 + (index % size)} ${4 + Math.floor(index / size)}h1v1h-1z`] : [],
  )
  return found.toSorted()
}

/** The wallet on the other device scans the code. */
const onOtherDevice = async (page: Page): Promise<void> => {
  await page.getByTestId('wallet-pairing').waitFor({ timeout: paidMs })
  const uri = (await page.getByTestId('pairing-link').getAttribute('href')) ?? ''
  expect(await squares(page)).toEqual(squaresOf(uri))
  await browser.pictures(page, 'wallet-pairing')
  scanWith(owner, relay, log, uri)
}

const choose = async (wallet: string): Promise<{ readonly page: Page; readonly id: string }> => {
  const sale = await openSale(shop, { amount: 5, currency_code: 'XLM' })
  const page = await browser.open(sale.checkout.payment_url)
  await page.getByTestId('pay-with-wallet').click()
  await page.getByTestId(`wallet-${wallet}`).click()
  return { page, id: sale.id }
}

describe('a payment on the public network', () => {
  it.each([
    ['lobstr', nothing],
    ['xbull', nothing],
    ['hana', nothing],
    ['albedo', inAlbedo],
    ['LEDGER', nothing],
    ['walletconnect', onOtherDevice],
  ] as const)(
    'is signed by %s, and confirmed from the ledger',
    async (wallet, confirm) => {
      const { page, id } = await choose(wallet)
      await confirm(page)
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })
      const { payment_id } = (await shop.api(`/checkout/${id}`)).body.data
      expect((await shop.api(`/payment/${payment_id}`)).body.data).toMatchObject({
        status: 'confirmed',
        amount: '5 XLM',
        transactions: [{ from: owner.wallet.address, hash: await page.getByTestId('transaction-hash').innerText() }],
      })
      expect([owner.asked.length, browser.complaints]).toEqual([1, []])
      await page.close()
    },
    testMs,
  )

  it.each([
    ['lobstr', 'LOBSTR', nothing],
    ['xbull', 'xBull', nothing],
    ['hana', 'Hana Wallet', nothing],
    ['albedo', 'Albedo', inAlbedo],
    ['LEDGER', 'Ledger', nothing],
    ['walletconnect', 'WalletConnect', onOtherDevice],
  ] as const)(
    'is not made when the owner declines in %s',
    async (wallet, name, confirm) => {
      owner.isWilling = false
      const { page, id } = await choose(wallet)
      await confirm(page)
      await page.locator('[data-testid="wallet-trouble"][data-trouble="Declined"]').waitFor({ timeout: paidMs })
      expect(await page.getByTestId('trouble-title').innerText()).toBe(`You declined it in ${name}`)
      expect((await shop.api(`/checkout/${id}`)).body.data).toMatchObject({ status: 'open', payment_id: null })
      expect(owner.asked).toHaveLength(1)
      await page.close()
    },
    testMs,
  )

  it(
    'tells a wallet on another device who asks, asks it again after a refusal, and ends the session once it is paid',
    async () => {
      owner.isWilling = false
      const { page } = await choose('walletconnect')
      await onOtherDevice(page)
      await page.getByTestId('next-retry').waitFor({ timeout: paidMs })
      owner.isWilling = true
      await page.getByTestId('next-retry').click()
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })
      expect(log.pages.at(-1)).toMatchObject({ name: 'Aurora Coffee', url: shop.url })
      expect(owner.asked).toHaveLength(2)
      await eventually(
        async () => log,
        ({ pages, ended }) => ended.length > 0 && ended.at(-1) === pages.at(-1)?.session,
      )
      expect(new Set(relay.projects)).toEqual(new Set([projectId]))
      await page.close()
    },
    testMs,
  )

  it(
    'shows a new code to the payer who has stopped waiting for the wallet that was to scan the first one',
    async () => {
      const { page } = await choose('walletconnect')
      await page.getByTestId('pairing-link').waitFor({ timeout: paidMs })
      const first = await page.getByTestId('pairing-link').getAttribute('href')
      await page.getByTestId('wallet-stop').click()
      await page.getByTestId('wallet-walletconnect').click()
      await page.getByTestId('pairing-link').waitFor({ timeout: paidMs })
      expect(await page.getByTestId('pairing-link').getAttribute('href')).not.toBe(first)
      scanWith(owner, relay, log, first ?? '')
      const late = log.pages.at(-1)?.session ?? ''
      await eventually(
        async () => log.ended,
        (ended) => ended.includes(late),
      )
      await onOtherDevice(page)
      await page.locator('[data-testid="status"][data-status="completed"]').waitFor({ timeout: paidMs })
      expect(owner.asked).toHaveLength(1)
      await page.close()
    },
    testMs,
  )

  it(
    'lists all wallets that are here',
    async () => {
      const sale = await openSale(shop, { amount: 5, currency_code: 'XLM' })
      const page = await browser.open(sale.checkout.payment_url)
      await page.getByTestId('pay-with-wallet').click()
      await page.getByTestId('wallet-lobstr').waitFor()
      const names = await page.locator('#wallet-choices .choice-code').allInnerTexts()
      expect(names).toEqual(['LOBSTR', 'xBull', 'Hana Wallet', 'Albedo', 'Ledger', 'WalletConnect'])
      await browser.pictures(page, 'wallet-kinds')
      await page.close()
    },
    testMs,
  )
})
