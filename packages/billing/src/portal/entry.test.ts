import { setTimeout as pause } from 'node:timers/promises'
import { unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { createBilling } from '../face/billing.ts'
import { allKept } from '../testing/kept.ts'
import { done, present, refused, right } from '../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../testing/platform.ts'
import { command, someone } from '../testing/shop.ts'
import { openNextDoor, openStoreFront, type StoreFront } from '../testing/store-front.ts'
import type { MailTrouble } from './mailing.ts'
import { createMailing } from './mailing.ts'

const minuteMs = 60_000
const invalid = { _tag: 'CodeInvalid' }

describe('portal entry by mailed codes', () => {
  let shop: StoreFront
  let customerId: string
  beforeEach(async () => {
    shop = await openStoreFront()
    customerId = await customer('Ada@Shop.example', 'Ada Łovelace')
  })
  afterEach(() => shop.close())

  const customer = async (email: string, name?: string, at: StoreFront = shop): Promise<string> =>
    present(
      (await done(at.billing.customers.createAll(command(at.platform, at.merchantId), [someone(email, name)])))[0],
    ).id
  const portal = () => shop.billing.portal
  const ask = (email: string, client = 'a client', scope = shop.scope) => portal().entries.ask(scope, email, client)
  const asked = async (email: string, client?: string): Promise<string> => right(await ask(email, client)).id
  const mailing = (platform: TestPlatform = shop.platform) => createMailing(platform.services)
  const sent = () => shop.network.mailbox.sent
  const codeIn = (text: string | undefined): string => present(/^([0-9A-Z]{4}-[0-9A-Z]{4})\n/.exec(present(text))?.[1])
  // Mails that are due at once go out in any order, so the code of each is awaited before the next is asked for.
  const mailedCode = async (): Promise<string> => {
    await mailing().settle()
    return codeIn(sent().at(-1)?.text)
  }
  const visitorOf = async (token: string) => portal().visitor(present(await portal().enter(token)))

  it('lets in a customer who enters the code from their email', async () => {
    const entry = right(await ask('ada@shop.example'))
    expect(entry).toEqual({
      object: 'portal_entry',
      id: expect.stringMatching(/^[\w-]{22}$/),
      expires_at: new Date(shop.network.now() + 10 * minuteMs).toISOString(),
    })
    const code = await mailedCode()
    expect(sent()).toEqual([
      {
        merchantId: shop.merchantId,
        to: { name: 'Ada Łovelace', address: 'Ada@Shop.example' },
        subject: 'Your code for A Shop',
        text: expect.stringContaining(code),
        html: expect.stringContaining(`<strong>${code}</strong>`),
      },
    ])
    const session = await done(portal().openByCode(entry.id, code))
    expect(session).toMatchObject({ object: 'portal_session', url: `http://pay.test/portal/${session.token}` })
    expect(await visitorOf(session.token)).toMatchObject({ ...shop.scope, customerId })
    expect(await refused(portal().openByCode(entry.id, code))).toEqual(invalid)
  })

  it('finds a customer by their email in any case, and reads a code in any', async () => {
    const id = await asked('  ADA@shop.EXAMPLE ')
    const code = await mailedCode()
    const typed = ` ${code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `
    expect((await visitorOf((await done(portal().openByCode(id, typed))).token))?.customerId).toBe(customerId)
  })

  it('answers the same for unknown emails, and sends them nothing', async () => {
    const statements = [right(await ask('ada@shop.example', 'one')), right(await ask('nobody@shop.example', 'two'))]
    expect(statements.map(({ object, expires_at }) => [object, expires_at])).toEqual([
      [statements[0]?.object, statements[0]?.expires_at],
      [statements[0]?.object, statements[0]?.expires_at],
    ])
    await mailing().settle()
    expect(sent().map(({ to }) => to.address)).toEqual(['Ada@Shop.example'])
    for (const { id } of statements) {
      expect(await portal().entries.doorOf(id)).toMatchObject({ merchant: 'A Shop', hasMail: true })
      expect(await refused(portal().openByCode(id, '0000-0000'))).toEqual(invalid)
    }
  })

  it('lets nobody in by 1,000 guesses, nor by the right code after five of them', async () => {
    const id = await asked('ada@shop.example')
    const code = await mailedCode()
    const guesses = Array.from({ length: 1_000 }, (_, n) => n.toString(32).toUpperCase().padStart(8, '0'))
    const outcomes = await Promise.all(guesses.map((guess) => portal().openByCode(id, guess)()))
    expect(outcomes.filter(E.isRight)).toEqual([])
    expect(await refused(portal().openByCode(id, code))).toEqual(invalid)
    expect(await portal().entries.doorOf(id)).not.toBeNull()
  })

  it('accepts the right code at the fifth try', async () => {
    const id = await asked('ada@shop.example')
    const code = await mailedCode()
    for (const guess of ['', 'x', '0000-0000', `${code}0`]) await refused(portal().openByCode(id, guess))
    expect(E.isRight(await portal().openByCode(id, code)())).toBe(true)
  })

  it('accepts a code for ten minutes', async () => {
    const early = await asked('ada@shop.example')
    const first = await mailedCode()
    const late = await asked('ada@shop.example')
    const second = await mailedCode()
    shop.network.wait(10 * minuteMs - 1_000)
    expect(E.isRight(await portal().openByCode(early, first)())).toBe(true)
    shop.network.wait(1_000)
    expect(await refused(portal().openByCode(late, second))).toEqual(invalid)
    expect(await portal().entries.doorOf(late)).toBeNull()
  })

  it('opens once for a code that is entered in several processes at once', async () => {
    const other = await openPlatform(shop.network, shop.folder.path)
    const id = await asked('ada@shop.example')
    const code = await mailedCode()
    const portals = [portal(), other.billing.portal, portal(), other.billing.portal]
    const outcomes = await Promise.all(portals.map((each) => each.openByCode(id, code)()))
    expect(outcomes.filter(E.isRight)).toHaveLength(1)
    await other.close()
  })

  it('accepts a code for its own request alone, and for its own merchant', async () => {
    const nextDoor = await openNextDoor(shop)
    await customer('ada@shop.example', 'Another Ada', nextDoor)
    const own = await asked('ada@shop.example')
    const first = await mailedCode()
    const again = await asked('ada@shop.example')
    const second = await mailedCode()
    const theirs = right(await ask('ada@shop.example', 'a client', nextDoor.scope)).id
    const third = await mailedCode()
    expect(await refused(portal().openByCode(own, second))).toEqual(invalid)
    expect(await refused(portal().openByCode(own, third))).toEqual(invalid)
    expect(await refused(portal().openByCode(theirs, first))).toEqual(invalid)
    expect((await visitorOf((await done(portal().openByCode(theirs, third))).token))?.merchantId).toBe(
      nextDoor.merchantId,
    )
    expect((await visitorOf((await done(portal().openByCode(again, second))).token))?.customerId).toBe(customerId)
  })

  it('sends mails for an environment that has a mailer, and for merchants that there are', async () => {
    const { merchantId } = shop.scope
    expect(await ask('ada@shop.example', 'a client', { merchantId, environment: 'mainnet' } as never)).toEqual(
      E.left({ _tag: 'MailNotConfigured' }),
    )
    const nowhere = { ...shop.scope, merchantId: 'mer_7nQe4Cw0XbDq1yLZs5Tt0u' } as never
    expect(await ask('ada@shop.example', 'a client', nowhere)).toEqual(E.left({ _tag: 'MerchantNotFound' }))
  })

  it('lets in nobody whose customer is deleted, or has another email by now', async () => {
    const moved = await customer('moved@shop.example')
    const one = await asked('ada@shop.example')
    const first = await mailedCode()
    const two = await asked('moved@shop.example')
    const second = await mailedCode()
    const context = () => command(shop.platform, shop.merchantId)
    await done(shop.billing.customers.remove(context(), customerId))
    await done(shop.billing.customers.update(context(), moved, { email: 'elsewhere@shop.example' }))
    expect(await refused(portal().openByCode(one, first))).toEqual(invalid)
    expect(await refused(portal().openByCode(two, second))).toEqual(invalid)
    await asked('ada@shop.example')
    await asked('moved@shop.example')
    await mailing().settle()
    expect(sent()).toHaveLength(2)
  })

  it.each([
    ['five an hour for an address from one client', 5, 60, () => ['ada@shop.example', 'a client']],
    ['20 a day for an address', 20, 24 * 60, (n: number) => ['ada@shop.example', `client ${n}`]],
    ['100 an hour from one client', 100, 60, (n: number) => [`${n}@shop.example`, 'a client']],
  ] as const)('issues %s', async (_, most, minutes, given) => {
    const next = (n: number) => {
      const [email, client] = given(n)
      return ask(present(email), client)
    }
    for (let n = 0; n < most; n++) right(await next(n))
    expect(await next(most)).toEqual(E.left({ _tag: 'TooManyCodes' }))
    shop.network.wait(minutes * minuteMs - 1_000)
    expect(await next(most)).toEqual(E.left({ _tag: 'TooManyCodes' }))
    shop.network.wait(1_000)
    expect(E.isRight(await next(most))).toBe(true)
  })

  it('lets customers in however many codes strangers ask for emails of nobody', async () => {
    for (let n = 0; n < 1_000; n++) right(await ask(`${n}@nobody.example`, `client ${n % 11}`))
    shop.network.wait(minuteMs)
    const id = await asked('ada@shop.example')
    while (sent().length === 0) await mailing().settle()
    expect(E.isRight(await portal().openByCode(id, codeIn(sent()[0]?.text))())).toBe(true)
  })

  it('mails 1,000 codes an hour for a merchant, and then for others, and answers the same beyond', async () => {
    const { mailedCodes } = shop.services
    const codes: Array<string> = []
    for (let n = 0; n <= 1_000; n++) codes.push(await asked(`${n}@shop.example`, `client ${n}`))
    const now = shop.network.now()
    const mayMail: Array<boolean> = []
    for (const id of codes) mayMail.push(await mailedCodes.mayMail(id, now))
    expect(mayMail).toEqual(codes.map((_, n) => n < 1_000))
    expect(await mailedCodes.mayMail(present(codes[0]), now)).toBe(true)
    const times = { testnet: now, mainnet: now }
    expect(await Promise.all(codes.map(async (id) => (await mailedCodes.find(id, times)) !== null))).toEqual(mayMail)
    await shop.services.outbox.purge({ testnet: unixMs(now + 60 * minuteMs), mainnet: now })
    const nextDoor = await openNextDoor(shop)
    await customer('ada@shop.example', 'Another Ada', nextDoor)
    await asked('ada@shop.example')
    right(await ask('ada@shop.example', 'a client', nextDoor.scope))
    await mailing().settle()
    expect(sent().map(({ merchantId }) => merchantId)).toEqual([nextDoor.merchantId])
    shop.network.wait(60 * minuteMs)
    await asked('ada@shop.example')
    await mailing().settle()
    expect(sent()).toHaveLength(2)
  })

  describe('while mails cannot be sent', () => {
    const unavailable = { _tag: 'MailUnavailable', cause: 'a test' } as const

    it('tries again, and sends each mail once', async () => {
      shop.network.mailbox.trouble = O.some(unavailable)
      const id = await asked('ada@shop.example')
      await mailing().settle()
      shop.network.mailbox.trouble = O.none
      await mailing().settle()
      expect(sent()).toEqual([])
      shop.network.wait(5_000)
      await mailing().settle()
      await mailing().settle()
      expect(sent()).toHaveLength(1)
      expect(E.isRight(await portal().openByCode(id, codeIn(sent()[0]?.text))())).toBe(true)
    })

    it('gives up a mail that is refused, and one whose code is too old', async () => {
      shop.network.mailbox.trouble = O.some({ _tag: 'MailRefused', cause: 'a test' })
      await asked('ada@shop.example')
      await mailing().settle()
      shop.network.mailbox.trouble = O.some(unavailable)
      await asked('ada@shop.example')
      await mailing().settle()
      shop.network.mailbox.trouble = O.none
      shop.network.wait(10 * minuteMs)
      await mailing().settle()
      expect(sent()).toEqual([])
    })

    it('tells the trouble once, and its end, and goes on with other mails', async () => {
      const told: Array<MailTrouble> = []
      const stop = new AbortController()
      shop.network.mailbox.trouble = O.some(unavailable)
      await customer('grace@shop.example')
      await asked('ada@shop.example')
      await asked('grace@shop.example')
      const running = mailing().run(
        stop.signal,
        (trouble) => {
          told.push(trouble)
          if (trouble === null) return stop.abort()
          shop.network.mailbox.trouble = O.none
        },
        (defect) => {
          throw defect
        },
      )
      while (!stop.signal.aborted) {
        shop.network.wait(1_000)
        await pause(10)
      }
      await running
      expect(told).toEqual([unavailable, null])
    })
  })

  it('sends the mails of an environment while the server of the other is silent', async () => {
    const silent = { send: () => () => new Promise<never>(() => undefined) }
    const services = { ...shop.services, mailers: { ...shop.services.mailers, mainnet: silent } }
    const billing = createBilling(services)
    const onMainnet = { ...shop.scope, environment: 'mainnet' as const }
    const people = Array.from({ length: 6 }, (_, n) => someone(`${n}@shop.example`))
    await done(billing.customers.createAll(command(shop.platform, shop.merchantId, onMainnet), people))
    for (const { email } of people) right(await billing.portal.entries.ask(onMainnet, present(email), 'a client'))
    await asked('ada@shop.example')
    const stop = new AbortController()
    const running = createMailing(services).run(
      stop.signal,
      () => undefined,
      (defect) => {
        throw defect
      },
    )
    while (sent().length === 0) await pause(10)
    stop.abort()
    await running
    expect(sent().map(({ to }) => to.address)).toEqual(['Ada@Shop.example'])
  })

  it('sends a mail that a dead process had taken, and the code survives the restart', async () => {
    const id = await asked('ada@shop.example')
    const { services } = shop.platform
    expect(await services.outbox.take('testnet', 5, minuteMs, shop.network.now())).toHaveLength(1)
    const next = await openPlatform(shop.network, shop.folder.path)
    await mailing(next).settle()
    expect(sent()).toEqual([])
    shop.network.wait(minuteMs)
    await mailing(next).settle()
    const session = await done(next.billing.portal.openByCode(id, codeIn(sent()[0]?.text)))
    expect(session.object).toBe('portal_session')
    await next.close()
  })

  it('sends a mail once from two processes', async () => {
    const other = await openPlatform(shop.network, shop.folder.path)
    for (const client of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await asked('ada@shop.example', client)
    for (let turn = 0; turn < 2; turn++) await Promise.all([mailing().settle(), mailing(other).settle()])
    expect(sent()).toHaveLength(7)
    expect(new Set(sent().map(({ text }) => text)).size).toBe(7)
    await other.close()
  })

  it('keeps neither code, email nor client in the clear', async () => {
    await asked('ada@shop.example', '203.0.113.7')
    const code = await mailedCode()
    const written = await allKept(shop.folder.path)
    expect(written).toContain(shop.merchantId)
    for (const secret of [code, code.replace('-', ''), 'shop.example', '203.0.113.7'])
      expect([secret, written.toLowerCase().includes(secret.toLowerCase())]).toEqual([secret, false])
  })

  it('forgets codes after a day, and mails that are too old', async () => {
    shop.network.mailbox.trouble = O.some({ _tag: 'MailUnavailable', cause: 'a test' })
    const id = await asked('ada@shop.example')
    shop.network.wait(24 * 60 * minuteMs)
    await shop.step()
    const times = { testnet: shop.network.now(), mainnet: shop.network.now() }
    expect(await shop.services.mailedCodes.find(id, times)).toBeNull()
    expect(await shop.services.outbox.take('testnet', 5, minuteMs, shop.network.now())).toEqual([])
  })
})
