import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { allKept } from '../testing/kept.ts'
import { done, present, refused, right } from '../testing/outcomes.ts'
import { command, someone } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { createMailing } from './mailing.ts'

const minuteMs = 60_000
const invalid = { _tag: 'CodeInvalid' }
const [toOld, toNew] = ['Another email for A Shop?', 'Your new email for A Shop']

describe("a customer's change of their email", () => {
  let shop: StoreFront
  let customerId: string
  beforeEach(async () => {
    shop = await openStoreFront()
    customerId = await customer('ada@shop.example')
  })
  afterEach(() => shop.close())

  const context = () => command(shop.platform, shop.merchantId)
  const customer = async (email: string | null): Promise<string> =>
    present((await done(shop.billing.customers.createAll(context(), [someone(email)])))[0]).id
  const portal = () => shop.billing.portal
  const visitor = (id = customerId) => ({ ...shop.scope, customerId: id })
  const ask = (email: string, of = visitor()) => done(portal().askForEmailChange(of, email))
  const emailOf = async (id = customerId) => (await done(shop.billing.customers.retrieve(shop.scope, id))).email
  const sent = () => shop.network.mailbox.sent
  /** Sends what waits, and returns the codes of the newest change. */
  const mailed = async () => {
    await createMailing(shop.services).settle()
    const codeOf = (subject: string): string =>
      present(
        sent()
          .findLast((mail) => mail.subject === subject)
          ?.text.split('\n')[0],
      )
    return { ofOld: codeOf(toOld), ofNew: codeOf(toNew) }
  }
  const confirm = (id: string, codes: { ofNew: string; ofOld: string }, of = visitor()) =>
    portal().confirmEmailChange(of, id, codes)

  it('counts after the codes from both addresses, once, and is told to the merchant', async () => {
    const id = await ask(' Ada@New.example ')
    const codes = await mailed()
    expect(new Map(sent().map(({ to, subject }) => [subject, to]))).toEqual(
      new Map([
        [toOld, { name: 'Ada Lovelace', address: 'ada@shop.example' }],
        [toNew, { name: null, address: 'Ada@New.example' }],
      ]),
    )
    expect(await emailOf()).toBe('ada@shop.example')
    await done(confirm(id, codes))
    expect(await emailOf()).toBe('Ada@New.example')
    expect(await refused(confirm(id, codes))).toEqual(invalid)
    const newest = { after: null, type: null, resourceId: null, limit: 10 }
    const { resources } = await done(shop.billing.events.list({ ...shop.scope, ...newest }))
    expect(resources.map(({ type }) => type)).toContain('customer.updated')
    const entry = right(await portal().entries.ask(shop.scope, 'ada@new.example', 'a client'))
    await createMailing(shop.services).settle()
    expect(sent().at(-1)?.to.address).toBe('Ada@New.example')
    expect(E.isRight(await portal().openByCode(entry.id, present(sent().at(-1)?.text.split('\n')[0]))())).toBe(true)
  })

  it('does not follow from one code, nor from codes in the wrong fields or of another change', async () => {
    const first = await ask('thief@evil.example')
    const { ofOld, ofNew } = await mailed()
    const second = await ask('thief@evil.example')
    const { ofOld: oldOfSecond, ofNew: newOfSecond } = await mailed()
    expect(new Set([ofOld, ofNew, oldOfSecond, newOfSecond]).size).toBe(4)
    for (const codes of [
      { ofNew, ofOld: ofNew },
      { ofNew: ofOld, ofOld: ofNew },
      { ofNew, ofOld: oldOfSecond },
      { ofNew: newOfSecond, ofOld },
    ])
      expect(await refused(confirm(first, codes))).toEqual(invalid)
    expect(await refused(portal().openByCode(second, newOfSecond))).toEqual(invalid)
    await done(confirm(second, { ofNew: newOfSecond, ofOld: oldOfSecond }))
  })

  it('ends after five tries, ten minutes, or another change by the merchant', async () => {
    const guessed = await ask('one@new.example')
    const first = await mailed()
    for (let n = 0; n < 5; n++) await refused(confirm(guessed, { ...first, ofOld: `0000-000${n}` }))
    expect(await refused(confirm(guessed, first))).toEqual(invalid)
    const late = await ask('two@new.example')
    const second = await mailed()
    shop.network.wait(10 * minuteMs)
    expect(await refused(confirm(late, second))).toEqual(invalid)
    const overtaken = await ask('three@new.example')
    const third = await mailed()
    await done(shop.billing.customers.update(context(), customerId, { email: 'set@shop.example' }))
    expect(await refused(confirm(overtaken, third))).toEqual(invalid)
    expect(await emailOf()).toBe('set@shop.example')
  })

  it('tells that another customer has the email only after both codes, and not which', async () => {
    await customer('Grace@Shop.example')
    const free = await ask('nobody@shop.example')
    await mailed()
    const taken = await ask('grace@shop.example')
    const codes = await mailed()
    for (const id of [free, taken])
      expect(await refused(confirm(id, { ofNew: '0000-0000', ofOld: '0000-0000' }))).toEqual(invalid)
    expect(await refused(confirm(taken, codes))).toEqual({ _tag: 'AddressTaken' })
    expect(await emailOf()).toBe('ada@shop.example')
  })

  it('is for the visitor who asked for it alone', async () => {
    const other = await customer('grace@shop.example')
    const id = await ask('ada@new.example')
    const codes = await mailed()
    for (let n = 0; n < 6; n++) expect(await refused(confirm(id, codes, visitor(other)))).toEqual(invalid)
    await done(confirm(id, codes))
    expect([await emailOf(), await emailOf(other)]).toEqual(['ada@new.example', 'grace@shop.example'])
  })

  it('is not possible without an email, without mails, or once the customer is deleted', async () => {
    const nameless = await customer(null)
    expect((await done(portal().view(visitor(nameless), { subscriptions: null, payments: null }))).canChangeEmail).toBe(
      false,
    )
    expect(await refused(portal().askForEmailChange(visitor(nameless), 'ada@new.example'))).toEqual({
      _tag: 'NoEmailToChange',
    })
    const id = await ask('ada@new.example')
    const codes = await mailed()
    await ask('other@new.example')
    await done(shop.billing.customers.remove(context(), customerId))
    await createMailing(shop.services).settle()
    expect(sent()).toHaveLength(2)
    expect(await refused(confirm(id, codes))).toEqual({ _tag: 'CustomerNotFound' })
    expect(await refused(portal().askForEmailChange(visitor(), 'ada@new.example'))).toEqual({
      _tag: 'CustomerNotFound',
    })
  })

  it('can be asked for five times an hour by one customer, whatever the address', async () => {
    for (let n = 0; n < 5; n++) await ask(`${n}@new.example`)
    expect(await refused(portal().askForEmailChange(visitor(), 'six@new.example'))).toEqual({ _tag: 'TooManyCodes' })
    shop.network.wait(60 * minuteMs)
    await ask('six@new.example')
  })

  it('keeps the new address nowhere in the clear', async () => {
    await ask('ada@new.example')
    shop.network.mailbox.trouble = O.some({ _tag: 'MailUnavailable', cause: 'a test' })
    await createMailing(shop.services).settle()
    const written = await allKept(shop.folder.path)
    expect(written).toContain(shop.merchantId)
    expect(written).not.toContain('new.example')
  })
})
