import { Secret, TOTP } from 'otpauth'
import type { CDPSession, Page } from 'playwright-core'
import { type Browser, startBrowser } from './testing/browser.ts'
import { problem } from './testing/client.ts'
import { askedFrom, atLocalhost, complaintsBut, settled } from './testing/dashboard.ts'
import { memberClient, ownersSession } from './testing/members.ts'
import { type Service, startService } from './testing/service.ts'

const testMs = 60_000
const password = 'a sentence is a good password'

let service: Service
let browser: Browser
let owner: ReturnType<typeof memberClient>
beforeAll(async () => {
  service = await startService()
  browser = await startBrowser()
  owner = memberClient(service, await ownersSession(service))
}, 2 * testMs)
afterAll(async () => {
  await browser.close()
  await service.close()
})
beforeEach(async () => {
  browser.complaints.splice(0)
  await browser.context.clearCookies()
})

const invitationOf = async (email: string, role: string): Promise<string> =>
  (await owner('/members', { body: { email, role } })).body.data.url

const joined = async (url: string, name: string): Promise<Page> => {
  const page = await browser.open(atLocalhost(url))
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByTestId('join').getByRole('button', { name: 'Join the team' }).click()
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  return page
}

const signedOut = async (page: Page): Promise<void> => {
  await page.getByTestId('sign-out').click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

const failure = (page: Page) => page.getByRole('alert').getByRole('paragraph').first().innerText()
const isGone = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

/** A device of the person at the browser, which finds out by itself that it is they. */
const newDevice = async (devtools: CDPSession): Promise<string> => {
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

describe('signing in to the dashboard', () => {
  it(
    'works by a passkey alone, and not by one of another device',
    async () => {
      const page = await joined(await invitationOf('ada@team.example', 'admin'), 'Ada')
      const devtools = await browser.context.newCDPSession(page)
      await devtools.send('WebAuthn.enable')
      const device = await newDevice(devtools)
      await page.getByRole('link', { name: 'Your sign-in' }).click()
      await page.getByTestId('add-passkey').click()
      await page.getByLabel('Name of the passkey').fill('Laptop')
      await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click()
      await isGone(page)
      await page.getByRole('listitem').filter({ hasText: 'Laptop' }).waitFor()
      await browser.picture(page, 'dashboard-account-passkey')
      const { body } = await askedFrom(page, '/member')
      expect(body.data).toMatchObject({ name: 'Ada', has_password: true, passkeys: [{ name: 'Laptop' }] })

      await signedOut(page)
      expect((await askedFrom(page, '/session')).status).toBe(401)
      await page.getByLabel('Email').fill('ada@team.example')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByTestId('passkey-needed').waitFor()
      await browser.picture(page, 'dashboard-passkey-needed')
      expect(await page.getByTestId('passkey-needed').innerText()).toMatch(/with your passkey.$/)
      await page.getByTestId('passkey').click()
      await page.getByRole('heading', { name: 'Your sign-in' }).waitFor()
      const session = (await askedFrom(page, '/session')).body.data
      expect(session).toMatchObject({ member: { name: 'Ada', role: 'admin', email: 'ada@team.example' } })

      await signedOut(page)
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId: device })
      const { userHandle } = credentials[0] ?? {}
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: device })
      const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
      const stranger = {
        credentialId: Buffer.from('a passkey that nobody has added').toString('base64'),
        isResidentCredential: true,
        rpId: 'localhost',
        privateKey: Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey)).toString('base64'),
        signCount: 0,
        ...(userHandle === undefined ? {} : { userHandle }),
      }
      const authenticatorId = await newDevice(devtools)
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: stranger })
      await page.getByTestId('passkey').click()
      await page.getByRole('alert').waitFor()
      await browser.picture(page, 'dashboard-passkey-refused')
      expect(await failure(page)).toMatch(/is wrong/)
      expect((await askedFrom(page, '/session')).status).toBe(401)
      expect(complaintsBut(browser, 401)).toEqual([])
      await page.close()
    },
    testMs,
  )

  it(
    'takes the code of an authenticator app once there is one',
    async () => {
      const page = await joined(await invitationOf('grace@team.example', 'developer'), 'Grace')
      await page.getByRole('link', { name: 'Your sign-in' }).click()
      await page.getByRole('button', { name: 'Set up' }).click()
      const secret = await page.locator('form code').innerText()
      const codeAt = (at: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })
      await browser.picture(page, 'dashboard-account-totp')
      await page.getByLabel('Code', { exact: true }).fill(codeAt(Date.now()))
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('A code is asked for at sign-in.').waitFor()
      await signedOut(page)
      await page.getByLabel('Email').fill('grace@team.example')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      const code = page.getByLabel('Code of your authenticator app')
      await code.waitFor()
      await browser.picture(page, 'dashboard-code-needed')
      // A code counts once, and the next one half a minute early.
      await page.keyboard.type(codeAt(Date.now() + 30_000))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Your sign-in' }).waitFor()
      expect((await askedFrom(page, '/member')).body.data).toMatchObject({ name: 'Grace', totp_is_on: true })
      expect(complaintsBut(browser, 401, 403)).toEqual([])
      await page.close()
    },
    testMs,
  )
})

describe('the rights of a member', () => {
  it(
    'are kept by the service: a viewer sees no button, and gets no further without one, until the owner ends their session',
    async () => {
      const desk = await browser.open(`${service.url}/dashboard/team`)
      await desk.getByTestId('invite').click()
      await desk.getByLabel('Email').fill('vera@team.example')
      await desk.getByRole('dialog').getByLabel('Role').selectOption('viewer')
      await desk.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
      const link = await desk.getByTestId('secret').innerText()
      await browser.picture(desk, 'dashboard-team-invited')

      const page = await joined(link, 'Vera')
      await page.goto(`${atLocalhost(service.url)}/dashboard/products`)
      await settled(page)
      await browser.picture(page, 'dashboard-viewer-products')
      expect(await page.getByTestId('new-product').count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Team' }).count()).toBe(0)
      const product = { name: 'P', type: 'one_time', currency_code: 'EUR', price_amount: 1 }
      expect(await askedFrom(page, '/product', 'POST', product)).toEqual({
        status: 403,
        body: problem('scope_missing'),
      })
      expect(await askedFrom(page, '/members')).toEqual({ status: 403, body: problem('owner_needed') })
      expect((await service.api('/product')).body.data.data).toEqual([])
      await page.goto(`${atLocalhost(service.url)}/dashboard/team`)
      await page.getByTestId('failure-NoRight').waitFor()
      expect(await page.getByTestId('invite').count()).toBe(0)
      await browser.picture(page, 'dashboard-viewer-team')

      await desk.reload()
      const vera = desk.getByRole('row').filter({ hasText: 'vera@team.example' })
      await vera.getByRole('button', { name: 'Remove' }).click()
      await browser.picture(desk, 'dashboard-team-remove')
      await desk.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await vera.waitFor({ state: 'detached' })
      expect(await askedFrom(page, '/product')).toEqual({ status: 401, body: problem('invalid_session') })
      await page.getByRole('link', { name: 'Products' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(complaintsBut(browser, 401, 403)).toEqual([])
      await page.close()
      await desk.close()
    },
    testMs,
  )
})
