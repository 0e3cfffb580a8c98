import { readFileSync } from 'node:fs'
import { minuteMs } from '@quittance/domain'
import type { Page } from 'playwright-core'
import { objections } from './testing/axe.ts'
import { type Browser, startBrowser } from './testing/browser.ts'
import { problem } from './testing/client.ts'
import { settled } from './testing/dashboard.ts'
import { eventually } from './testing/eventually.ts'
import { completed, openSale } from './testing/sale.ts'
import { type Service, startService } from './testing/service.ts'
import { fundedWallet } from './testing/wallet.ts'

const testMs = 240_000

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

const opened = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${service.url}/dashboard${path}`)
  await settled(page)
}

/** A page has nothing that axe-core objects to, light and dark, in both languages, and fits a phone. */
const isInOrder = async (page: Page, path: string, name: string): Promise<void> => {
  for (const language of ['en', 'de'] as const) {
    await opened(page, path)
    await page.getByTestId('language').selectOption(language)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await objections(page)).toEqual([])
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await browser.picture(page, `dashboard-${name}-${language}`)
  }
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await browser.picture(page, `dashboard-${name}-phone`)
  if (size !== null) await page.setViewportSize(size)
  await page.getByTestId('language').selectOption('en')
}

const reports = (secret: string) => service.anyone('/payment', { headers: { 'x-app-token': secret } })

describe('keys in the dashboard', () => {
  it(
    'are made, shown once, used, replaced, revoked, and refused from then on',
    async () => {
      const page = await browser.open(service.url)
      await opened(page, '/keys')
      await page.getByTestId('new-key').click()
      await page.getByLabel('Name').fill('Reports')
      await page.getByLabel('payments:read').check()
      await browser.picture(page, 'dashboard-keys-new')
      await page.getByTestId('new-key-form').getByRole('button', { name: 'New key' }).click()
      const secret = await page.getByTestId('secret').innerText()
      expect(secret).toMatch(/^app_test_[\w-]{43}$/)
      await browser.picture(page, 'dashboard-keys-shown')
      expect((await reports(secret)).status).toBe(200)
      const row = page.getByRole('row').filter({ hasText: `app_test_…${secret.slice(-4)}` })
      await row.getByText('payments:read').waitFor()

      await page.reload()
      await row.waitFor()
      expect(await page.content()).not.toContain(secret)

      await row.getByTestId('replace-key').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Replace', exact: true }).click()
      const next = await page.getByTestId('secret').innerText()
      await row.getByText('Replaced').waitFor()
      expect([(await reports(secret)).status, (await reports(next)).status]).toEqual([200, 200])

      for (const each of [secret, next]) {
        const listed = page.getByRole('row').filter({ hasText: `app_test_…${each.slice(-4)}` })
        await listed.getByTestId('revoke-key').click()
        await page.getByTestId('revoke-key-form').getByRole('button', { name: 'Revoke' }).click()
        await listed.getByText('Revoked').waitFor()
        expect(await reports(each)).toMatchObject({ status: 401, body: problem('invalid_app_token') })
      }
      await isInOrder(page, '/keys', 'keys')
      expect(browser.complaints).toEqual([])
      await page.close()
    },
    testMs,
  )
})

describe('a quarter of an hour after the sign-in', () => {
  const machinesClock = Date.now
  afterEach(() => {
    Date.now = machinesClock
  })

  it(
    'a key takes another sign-in, which leads back',
    async () => {
      const page = await browser.open(service.url)
      await opened(page, '/keys')
      // Teams go by the machine's clock.
      Date.now = () => machinesClock() + 16 * minuteMs
      const make = async (name: string) => {
        await page.getByTestId('new-key').click()
        await page.getByLabel('Name').fill(name)
        await page.getByLabel('Kind').selectOption('secret')
        await page.getByTestId('new-key-form').getByRole('button', { name: 'New key' }).click()
      }
      await make('Too late')
      await page.getByTestId('failure-SignInAgain').waitFor()
      await browser.picture(page, 'dashboard-keys-sign-in-again')
      await page.getByTestId('sign-in-again').click()
      await page.getByTestId('enter-sandbox').click()
      await page.getByRole('heading', { name: 'API keys' }).waitFor()
      await make('In time')
      expect(await page.getByTestId('secret').innerText()).toMatch(/^sk_test_/)
      await page.getByRole('row').filter({ hasText: 'In time' }).waitFor()
      expect(await page.getByText('Too late').count()).toBe(0)
      await page.close()
    },
    testMs,
  )
})

describe('payouts in the dashboard', () => {
  it(
    'go to a proven destination, wait over a limit, and go once another person approves',
    async () => {
      const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
      const wallet = await fundedWallet(service.facts, [usdc])
      const sale = await openSale(service, { amount: 100, currency_code: 'USDC' })
      await wallet.pay(sale)
      await completed(service, sale.id)

      const page = await browser.open(service.url)
      await opened(page, '/payouts/destinations')
      await page.getByTestId('new-destination').click()
      await page.getByRole('dialog').getByLabel('Address').fill(wallet.address)
      await page.getByLabel('Label').fill('Cold wallet')
      await page.getByTestId('destination-form').getByRole('button', { name: 'Register address' }).click()
      const proof = page.getByTestId('prove-destination')
      const challenge = await proof.locator('code').innerText()
      await browser.picture(page, 'dashboard-destinations-prove')
      await proof.getByLabel('Signed transaction').fill(wallet.sign(challenge, service.facts.network_passphrase))
      await proof.getByRole('button', { name: 'Prove the address' }).click()
      await page.getByText('(proven)').waitFor()
      await isInOrder(page, '/payouts/destinations', 'destinations')

      await opened(page, '/policies')
      await page.getByTestId('set-limit').click()
      await page.getByLabel('US dollars in 24 hours').fill('25')
      await page.getByTestId('limit-form').getByRole('button', { name: 'Save' }).click()
      await page.getByText('$25.00').waitFor()
      await isInOrder(page, '/policies', 'policies')

      const payOut = async (amount: string) => {
        await opened(page, '/payouts')
        await page.getByTestId('new-payout').click()
        await page.getByRole('dialog').getByLabel('Asset').selectOption(usdc)
        await page.getByRole('dialog').getByLabel('Amount').fill(amount)
        await page.getByTestId('new-payout-form').getByRole('button', { name: 'Pay out' }).click()
        await page.getByRole('link', { name: `${amount} USDC` }).waitFor()
      }
      await payOut('20')
      await payOut('30')
      await page.getByRole('link', { name: 'Waits for an approval' }).click()
      await page.getByTestId('approve').click()
      await page.getByTestId('approve-form').getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('dialog').getByText('Another key has to approve this').waitFor()
      await page.keyboard.press('Escape')
      const id = page.url().split('/').at(-1)
      await isInOrder(page, `/approvals/${id}`, 'approval')
      expect((await service.api(`/approvals/${id}/approve`, { body: { note: 'Ada called' } })).status).toBe(200)
      await opened(page, `/approvals/${id}`)
      await page.getByText('Ada called').first().waitFor()
      await eventually(
        () => service.api('/payouts?status=succeeded'),
        ({ body }) => body.data.data.length === 2,
      )

      await opened(page, '/payouts')
      await page.getByTestId('set-schedule').click()
      await page.getByRole('dialog').getByLabel('Asset').selectOption(usdc)
      await page.getByRole('dialog').getByLabel('When').selectOption('threshold')
      await page.getByLabel('From how much on').fill('50')
      await page.getByLabel('Reserve').fill('10,5')
      await browser.picture(page, 'dashboard-payouts-schedule')
      await page.getByTestId('schedule-form').getByRole('button', { name: 'Save' }).click()
      await page.getByText('From 50 USDC on').waitFor()
      expect((await service.api('/payout_schedules')).body.data).toMatchObject([
        { asset_id: usdc, interval: 'threshold', threshold: '50', reserve: '10.5' },
      ])
      await isInOrder(page, '/payouts', 'payouts')
      await isInOrder(page, '/approvals', 'approvals')
      expect(browser.complaints.filter((each) => !each.includes('403'))).toEqual([])
      await page.close()
    },
    testMs,
  )

  it(
    'are rejected by a second person, and exported as a list',
    async () => {
      const page = await browser.open(service.url)
      await opened(page, '/payouts?status=succeeded')
      const download = page.waitForEvent('download')
      await page.getByTestId('export').click()
      const file = readFileSync((await (await download).path()) ?? '', 'utf8')
      const rows = file.replace('\uFEFF', '').trim().split('\r\n')
      expect(rows.map((row) => row.split(',').slice(0, 2).join())).toEqual([
        'Amount,Status',
        '30 USDC,succeeded',
        '20 USDC,succeeded',
      ])
      const { data } = (
        await service.api('/payouts', {
          body: {
            asset_id: service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id,
            amount: '40',
            destination: (await service.api('/payout_destinations')).body.data.data[0].id,
          },
        })
      ).body
      await opened(page, '/approvals?status=waiting')
      await page.getByRole('link', { name: '40 USDC' }).click()
      await page.getByTestId('reject').click()
      await page.getByTestId('reject-form').getByLabel('Note (optional)').fill('Too much')
      await page.getByTestId('reject-form').getByRole('button', { name: 'Reject' }).click()
      await page.locator('[data-status="rejected"]').waitFor()
      expect((await service.api(`/payouts/${data.id}`)).body.data).toMatchObject({
        status: 'failed',
        failure_reason: 'not_approved',
      })
      await page.close()
    },
    testMs,
  )
})
