import { hourMs, minuteMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { createBilling } from '../face/billing.ts'
import type { Services } from '../services/services.ts'
import { dyingAfterCalls } from '../testing/dying-ports.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { survived } from '../testing/refunds.ts'
import { command, someone } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { provenLog } from '../testing/stores.ts'
import { createMailing } from './mailing.ts'

const mostCalls = 60

describe('a process that dies while codes are mailed', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
  })
  afterEach(() => shop.close())

  const customer = async (email: string): Promise<string> =>
    present(
      (await done(shop.billing.customers.createAll(command(shop.platform, shop.merchantId), [someone(email)])))[0],
    ).id
  const mailsTo = (address: string) => shop.network.mailbox.sent.filter(({ to }) => to.address === address)
  const codesTo = (address: string) => mailsTo(address).map(({ text }) => present(text.split('\n')[0]))
  /** The services of a process that dies after so many calls. */
  const dyingAfter = (calls: number): Services => {
    const dying = dyingAfterCalls(calls)
    const { services } = shop
    const { readStream, append } = dying({ readStream: services.store.readStream, append: services.store.append })
    const { testnet } = services.mailers
    return {
      ...services,
      store: { ...services.store, readStream, append },
      mailedCodes: dying(services.mailedCodes),
      outbox: dying(services.outbox),
      portalSessions: dying(services.portalSessions),
      mailers: { ...services.mailers, testnet: testnet === null ? null : dying(testnet) },
    }
  }
  /** Dies after each call in turn. `lived`: what one process does; `ended`: what people do then, and what is true. */
  const dyingAfterEach = async (
    lived: (services: Services, death: number) => Promise<unknown>,
    ended: (death: number) => Promise<void>,
  ) => {
    let deaths = 0
    for (let isAlive = false; !isAlive && deaths < mostCalls; deaths++) {
      isAlive = await survived(lived(dyingAfter(deaths + 1), deaths))
      // The lease of a mail that was taken ends.
      shop.network.wait(2 * minuteMs)
      await createMailing(shop.services).settle()
      await ended(deaths)
      expect(await shop.services.outbox.take('testnet', 10, 0, shop.services.clock.now('testnet'))).toEqual([])
      shop.network.wait(hourMs)
    }
    expect(deaths).toBeGreaterThan(6)
    expect(deaths).toBeLessThan(mostCalls)
    expect(await provenLog(shop.folder.path)).toMatchObject({ ok: true })
  }

  it('lets the customer in by a code of the last request, once, and mails no code more than twice', async () => {
    const address = (death: number): string => `c${death}@crash.example`
    let entry: string | null = null
    await dyingAfterEach(
      async (services, death) => {
        entry = null
        await customer(address(death))
        const { portal } = createBilling(services)
        const asked = await portal.entries.ask(shop.scope, address(death), 'a client')
        if (E.isLeft(asked)) throw new Error(asked.left._tag)
        entry = asked.right.id
        await createMailing(services).settle()
        await done(portal.openByCode(entry, present(codesTo(address(death)).at(-1))))
      },
      async (death) => {
        const sent = codesTo(address(death))
        expect(sent.length).toBeLessThanOrEqual(2)
        expect(new Set(sent).size).toBeLessThanOrEqual(1)
        const { portal } = shop.billing
        const code = sent.at(-1)
        const isIn = entry !== null && code !== undefined && E.isRight(await portal.openByCode(entry, code)())
        if (isIn) return
        const again = await portal.entries.ask(shop.scope, address(death), 'a client')
        if (E.isLeft(again)) throw new Error(again.left._tag)
        await createMailing(shop.services).settle()
        const next = present(codesTo(address(death)).at(-1))
        await done(portal.openByCode(again.right.id, next))
        expect(await refused(portal.openByCode(again.right.id, next))).toEqual({ _tag: 'CodeInvalid' })
      },
    )
  })

  it('changes an email altogether or not at all, and then by another request', async () => {
    const before = (death: number): string => `before-${death}@crash.example`
    const after = (death: number): string => `after-${death}@crash.example`
    let customerId = ''
    const visitor = () => ({ ...shop.scope, customerId })
    const codes = (death: number) => ({
      ofOld: present(codesTo(before(death)).at(-1)),
      ofNew: present(codesTo(after(death)).at(-1)),
    })
    const emailNow = async () => (await done(shop.billing.customers.retrieve(shop.scope, customerId))).email
    await dyingAfterEach(
      async (services, death) => {
        customerId = await customer(before(death))
        const { portal } = createBilling(services)
        const id = await done(portal.askForEmailChange(visitor(), after(death)))
        await createMailing(services).settle()
        await done(portal.confirmEmailChange(visitor(), id, codes(death)))
      },
      async (death) => {
        if ((await emailNow()) !== after(death)) {
          expect(await emailNow()).toBe(before(death))
          const { portal } = shop.billing
          const id = await done(portal.askForEmailChange(visitor(), after(death)))
          await createMailing(shop.services).settle()
          await done(portal.confirmEmailChange(visitor(), id, codes(death)))
        }
        expect(await emailNow()).toBe(after(death))
        // The former address is free, and the new one is taken.
        const context = () => command(shop.platform, shop.merchantId)
        expect(await refused(shop.billing.customers.createAll(context(), [someone(after(death))]))).toMatchObject({
          _tag: 'EmailTaken',
        })
        await done(shop.billing.customers.createAll(context(), [someone(before(death))]))
      },
    )
  })
})
