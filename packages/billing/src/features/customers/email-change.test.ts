import { Reservation } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { createBilling } from '../../face/billing.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import { fold } from '../../kernel/fold.ts'
import { dyingAfter, ProcessDied } from '../../testing/failing-stores.ts'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../../testing/platform.ts'
import { command, openShop, someone } from '../../testing/shop.ts'
import type { Customers } from './customers.ts'
import { emailHash } from './look-up.ts'

/** A request: an existing customer gets an email, or a new customer is created with it. */
type Wish = { readonly who: 0 | 1 | 'new'; readonly email: number | null; readonly diesAfter: number }

describe('an email that passes between customers', () => {
  let network: TestNetwork
  let folder: ReturnType<typeof temporaryFolder>
  let platform: TestPlatform
  let merchantId: string
  let rounds = 0
  beforeAll(async () => {
    network = await startNetwork()
    folder = temporaryFolder()
    platform = await openPlatform(network, folder.path)
    merchantId = await openShop(platform)
  })
  afterAll(async () => {
    await platform.close()
    await network.close()
    folder.remove()
  })

  const newContext = () => command(platform, merchantId)
  const through = (store: EventStore) => createBilling({ ...platform.services, store }).customers
  const created = async (email: string) =>
    present((await done(platform.billing.customers.createAll(newContext(), [someone(email)])))[0]).id
  const reservationOf = async (email: string) => {
    const hash = await emailHash(platform.services.vault, { merchantId, environment: 'testnet' }, email)
    return fold(Reservation, (await done(platform.log.readStream(`reservation-${hash}`))).events)
  }
  const living = async () => {
    await platform.shown()
    return (await platform.billing.customers.list({ merchantId, environment: 'testnet', limit: 100 })()).resources
  }

  /** Expects each holder of an email to hold it alone, and nobody else to claim it. */
  const areHeldByOne = async (emails: ReadonlyArray<string>): Promise<void> => {
    const everybody = await living()
    for (const email of emails) {
      const holders = everybody.filter((each) => each.email === email).map(({ id }) => id)
      expect(holders.length).toBeLessThanOrEqual(1)
      if (holders.length === 1) expect(await reservationOf(email)).toMatchObject({ status: 'held', owner: holders[0] })
    }
  }

  const carriedOut = (
    { createAll, update }: Customers,
    context: CommandContext,
    { who, email }: Pick<Wish, 'who'> & { readonly email: string | null },
    ids: ReadonlyArray<string>,
  ): TaskEither<unknown, unknown> =>
    who === 'new' ? createAll(context, [someone(email)]) : update(context, present(ids[who]), { email })

  it('has at most one holder in any order of steps and crashes, and a retry completes every change', async () => {
    const race = async (scheduler: fc.Scheduler, wishes: ReadonlyArray<Wish>): Promise<void> => {
      const emails = [0, 1, 2].map((n) => `${n}-of-round-${rounds}@example.org`)
      rounds += 1
      const ids = [await created(present(emails[0])), await created(present(emails[1]))]
      const wanted = wishes.map((wish) => ({
        ...wish,
        email: wish.email === null ? null : present(emails[wish.email]),
        context: newContext(),
      }))
      const attempts = wanted.map(({ context, diesAfter, ...wish }) => {
        const store = dyingAfter(diesAfter)(platform.log)
        const scheduled: EventStore = {
          ...store,
          readStream:
            (...request) =>
            () =>
              scheduler.schedule(Promise.resolve('read')).then(() => store.readStream(...request)()),
          append:
            (...request) =>
            () =>
              scheduler.schedule(Promise.resolve('append')).then(() => store.append(...request)()),
        }
        return carriedOut(through(scheduled), context, wish, ids)().catch((defect: unknown) => {
          if (!(defect instanceof ProcessDied)) throw defect
        })
      })
      await scheduler.waitFor(Promise.all(attempts))
      await areHeldByOne(emails)

      // Crashed requests are repeated; the others are sent again.
      for (const { context, ...wish } of wanted) {
        await carriedOut(platform.billing.customers, context, wish, ids)()
        await areHeldByOne(emails)
      }
      for (const email of emails) {
        const outcome = await platform.billing.customers.createAll(newContext(), [someone(email)])()
        const [holder] = (await living()).filter((each) => each.email === email)
        if (E.isLeft(outcome)) expect(outcome.left).toEqual({ _tag: 'EmailTaken', customerId: present(holder).id })
        await areHeldByOne([email])
      }
      for (const { id } of await living()) await done(platform.billing.customers.remove(newContext(), id))
    }
    const anyWish: fc.Arbitrary<Wish> = fc.record({
      who: fc.constantFrom<Wish['who']>(0, 0, 1, 'new'),
      email: fc.constantFrom(0, 1, 2, 2, null),
      diesAfter: fc.constantFrom(1, 2, 3, 4, 99, 99, 99),
    })
    const anyWishes = fc.array(anyWish, { minLength: 2, maxLength: 4 })
    await fc.assert(fc.asyncProperty(fc.scheduler(), anyWishes, race), { numRuns: 50, seed: 20_261_120 })
  })

  it.each([1, 2, 3])('follows a change that crashed after append %d once it is repeated', async (appends) => {
    const [old, fresh] = [`old-${appends}@example.org`, `fresh-${appends}@example.org`]
    const id = await created(old)
    const context = newContext()
    const died = through(dyingAfter(appends)(platform.log)).update(context, id, { email: fresh })
    await expect(died()).rejects.toThrow(ProcessDied)
    expect((await done(platform.billing.customers.update(context, id, { email: fresh }))).email).toBe(fresh)
    expect((await created(old)) === id).toBe(false)
    await areHeldByOne([old, fresh])
  })

  it('is lost by a paused change once another claims it', async () => {
    const email = 'slept@example.org'
    const id = await created('sleeper@example.org')
    const context = newContext()
    const died = through(dyingAfter(1)(platform.log)).update(context, id, { email })
    await expect(died()).rejects.toThrow(ProcessDied)
    const other = await created(email)
    expect(await refused(platform.billing.customers.update(context, id, { email }))).toEqual({
      _tag: 'EmailTaken',
      customerId: other,
    })
    await areHeldByOne([email, 'sleeper@example.org'])
  })

  it('stays with a customer that reclaims it before the earlier change releases it', async () => {
    const [mine, fresh] = ['mine@example.org', 'for-a-while@example.org']
    const id = await created(mine)
    const [reached, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow: EventStore = {
      ...platform.log,
      append: (stream, head, events, alongside) => async () => {
        if (events.some(({ type }) => type === 'Released')) {
          reached.resolve()
          await allowed.promise
        }
        return platform.log.append(stream, head, events, alongside)()
      },
    }
    const changing = done(through(slow).update(newContext(), id, { email: fresh }))
    await reached.promise
    expect((await done(platform.billing.customers.update(newContext(), id, { email: mine }))).email).toBe(mine)
    allowed.resolve()
    await changing
    await areHeldByOne([mine, fresh])
    expect(await refused(platform.billing.customers.createAll(newContext(), [someone(mine)]))).toEqual({
      _tag: 'EmailTaken',
      customerId: id,
    })
  })

  it('is released in the log once it is given up', async () => {
    const id = await created('given-up@example.org')
    await done(platform.billing.customers.update(newContext(), id, { email: 'kept@example.org' }))
    expect(await reservationOf('given-up@example.org')).toMatchObject({ status: 'free' })
    expect(await reservationOf('kept@example.org')).toMatchObject({ status: 'held', owner: id })
  })
})
