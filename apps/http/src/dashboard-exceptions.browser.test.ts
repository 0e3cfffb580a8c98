import { Keypair } from '@stellar/stellar-sdk'
import type { Page } from 'playwright-core'
import { type Browser, startBrowser } from './testing/browser.ts'
import { complaintsBut, settled } from './testing/dashboard.ts'
import { provenDestination } from './testing/destination.ts'
import { eventually } from './testing/eventually.ts'
import { completed, openSale } from './testing/sale.ts'
import { type Service, startService } from './testing/service.ts'
import { fundedWallet, type Wallet } from './testing/wallet.ts'

const testMs = 120_000

let service: Service
let browser: Browser
let usdc: string
let wallet: Wallet
/** An account that many share: what it sends does not go back by itself. */
let exchange: Wallet
beforeAll(async () => {
  const many = Keypair.random()
  service = await startService({ QUITTANCE_OMNIBUS_ACCOUNTS: many.publicKey() })
  usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  wallet = await fundedWallet(service.facts, [usdc])
  exchange = await fundedWallet(service.facts, [usdc], many)
  await provenDestination(service, wallet)
  browser = await startBrowser()
}, testMs)
afterAll(async () => {
  await browser.close()
  await service.close()
})
beforeEach(() => {
  browser.complaints.splice(0)
})

const sell = () => openSale(service, { amount: 5, currency_code: 'USDC' })

/** An exception that waits for a person: 5 USDC with a memo that names nothing. */
const waiting = async (): Promise<string> => {
  const { hash } = await exchange.pay({ ...(await sell()), memo: 'for nobody' })
  type Odd = { readonly id: string; readonly transaction_hash: string; readonly decision_needed: string | null }
  const open = async (): Promise<ReadonlyArray<Odd>> =>
    (await service.api('/exceptions?status=open&limit=100')).body.data.data
  const isIt = ({ transaction_hash, decision_needed }: Odd) => transaction_hash === hash && decision_needed !== null
  return (await eventually(open, (all) => all.some(isIt))).find(isIt)?.id ?? ''
}

const fact = (page: Page, name: string) =>
  page
    .locator('.facts > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

describe('an exception in the dashboard', () => {
  it(
    'goes back to a wallet that the merchant names, after the service has refused the shared account',
    async () => {
      const id = await waiting()
      const page = await browser.open(`${service.url}/dashboard`)
      await page.getByRole('link', { name: '1 payment needs your decision' }).click()
      await page.getByRole('link', { name: 'Names no checkout' }).click()
      await page.getByTestId('resolve').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Decide' }).click()
      await dialog.getByRole('alert').waitFor()
      await browser.picture(page, 'dashboard-exception-refused')
      expect((await service.api(`/exceptions/${id}`)).body.data).toMatchObject({ status: 'open', action: null })
      await dialog.getByLabel('Receiver').fill(wallet.address)
      await dialog.getByLabel('Note').fill('Asked by mail')
      await dialog.getByRole('button', { name: 'Decide' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.locator('.facts [data-status="resolved"]').waitFor({ timeout: testMs })
      expect(await fact(page, 'Decision').innerText()).toBe('Send it back')
      expect(await fact(page, 'Return').innerText()).toBe('Succeeded')
      expect(await fact(page, 'Goes back to').innerText()).toBe(wallet.address)
      expect(await page.getByTestId('resolve').count()).toBe(0)
      await browser.picture(page, 'dashboard-exception-returned')
      const { return_transaction_hash, ...returned } = (await service.api(`/exceptions/${id}`)).body.data
      expect(returned).toMatchObject({
        status: 'resolved',
        action: 'refund',
        note: 'Asked by mail',
        return_status: 'succeeded',
        return_address: wallet.address,
      })
      expect((await wallet.ledger.getTransaction(return_transaction_hash)).status).toBe('SUCCESS')
      expect(complaintsBut(browser, 401, 409)).toEqual([])
      await page.close()
    },
    2 * testMs,
  )

  it(
    'pays a checkout that the merchant names',
    async () => {
      const [id, sale] = [await waiting(), await sell()]
      const page = await browser.open(`${service.url}/dashboard/exceptions/${id}`)
      await page.getByTestId('resolve').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('What becomes of the money').selectOption('apply')
      await dialog.getByLabel('Checkout').fill(sale.id)
      await browser.picture(page, 'dashboard-exception-apply')
      await dialog.getByRole('button', { name: 'Decide' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.locator('.facts [data-status="resolved"]').waitFor()
      expect(await fact(page, 'Decision').innerText()).toBe('Apply it to a checkout')
      await page.getByRole('link', { name: sale.id }).click()
      await page.getByTestId('paid').waitFor({ timeout: testMs })
      const { payment_id } = await completed(service, sale.id)
      const { transaction_hash } = (await service.api(`/exceptions/${id}`)).body.data
      expect((await service.api(`/payment/${payment_id}`)).body.data).toMatchObject({
        status: 'confirmed',
        amount: '5 USDC',
        transaction_hash,
      })
      await page.goto(`${service.url}/dashboard`)
      await settled(page)
      expect(await page.getByText('needs your decision').count()).toBe(0)
      expect(complaintsBut(browser, 401)).toEqual([])
      await page.close()
    },
    2 * testMs,
  )
})

describe('the keyboard', () => {
  type Focused = { readonly name: string; readonly isShown: boolean; readonly isInDialog: boolean }
  const focused = (page: Page): Promise<Focused> =>
    page.evaluate(`(() => {
      const { activeElement: element } = document
      return {
        name: (element.labels?.[0] ?? element).textContent.trim(),
        isShown: element.matches(':focus-visible'),
        isInDialog: element === document.body || element.closest('dialog') !== null,
      }
    })()`)

  /** Goes on with Tab until something has the focus, and shows that it has. */
  const tabTo = async (page: Page, name: string): Promise<void> => {
    const passed: Array<string> = []
    while (passed.length < 60) {
      await page.keyboard.press('Tab')
      const at = await focused(page)
      if (at.name === name) return expect(at).toMatchObject({ name, isShown: true })
      passed.push(at.name)
    }
    throw new Error(`Tab does not come to ${name}, but to ${passed.join(', ')}`)
  }

  it(
    'is enough to sign in, make a product, open a checkout, read a timeline, decide an exception and sign out',
    async () => {
      const id = await waiting()
      const page = await browser.open(`${service.url}/dashboard`)
      await page.getByRole('heading', { name: 'Home' }).waitFor()
      await tabTo(page, 'Sign out')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await tabTo(page, 'Enter the sandbox')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Home' }).waitFor()

      await page.keyboard.press('Shift+Tab')
      await tabTo(page, 'Products')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Products', exact: true }).waitFor()
      await page.locator('h1:focus').filter({ hasText: 'Products' }).waitFor()
      await tabTo(page, 'New product')
      await page.keyboard.press('Enter')
      await page.getByTestId('product-form').waitFor()
      await tabTo(page, 'Name')
      await page.keyboard.type('A book')
      await tabTo(page, 'Price')
      await page.keyboard.type('7.50')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'A book' }).waitFor()
      await tabTo(page, 'Create checkout link')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await tabTo(page, 'Create checkout link')
      await page.keyboard.press('Enter')
      await page.getByTestId('payment-url').waitFor()
      await tabTo(page, 'Pay with test money')
      await page.keyboard.press('Enter')
      await page.getByTestId('paid').waitFor({ timeout: testMs })
      await tabTo(page, 'Details')
      await page.keyboard.press('Enter')
      await page.locator('details[open] dl').waitFor()
      await browser.picture(page, 'dashboard-keyboard-timeline')

      await page.goto(`${service.url}/dashboard/exceptions/${id}`)
      await page.getByTestId('resolve').waitFor()
      await tabTo(page, 'Decide')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      for (let steps = 0; steps < 12; steps += 1) {
        await page.keyboard.press('Tab')
        expect((await focused(page)).isInDialog).toBe(true)
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect((await focused(page)).name).toBe('Decide')
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      await tabTo(page, 'Cancel')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      expect((await focused(page)).name).toBe('Decide')
      await page.keyboard.press('Enter')
      await dialog.getByLabel('What becomes of the money').focus()
      await page.keyboard.type('Keep')
      await tabTo(page, 'Decide')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.locator('.facts [data-status="resolved"]').waitFor()
      await page.locator('h1:focus').waitFor()
      expect((await service.api(`/exceptions/${id}`)).body.data).toMatchObject({ status: 'resolved', action: 'accept' })

      await page.keyboard.press('Shift+Tab')
      await tabTo(page, 'Sign out')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(complaintsBut(browser, 401)).toEqual([])
      await page.close()
    },
    2 * testMs,
  )
})
