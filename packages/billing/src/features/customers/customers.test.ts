import { createBilling } from '../../face/billing.ts'
import { dyingAfter, ProcessDied } from '../../testing/failing-stores.ts'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../../testing/platform.ts'
import { command, openShop, options, someone } from '../../testing/shop.ts'

describe('customers', () => {
  let network: TestNetwork
  let folder: ReturnType<typeof temporaryFolder>
  let platform: TestPlatform
  let merchantId: string
  beforeEach(async () => {
    network = await startNetwork()
    folder = temporaryFolder()
    platform = await openPlatform(network, folder.path)
    merchantId = await openShop(platform)
  })
  afterEach(async () => {
    await platform.close()
    await network.close()
    folder.remove()
  })

  const scope = () => ({ merchantId, environment: 'testnet' as const })
  const create = (customer: ReturnType<typeof someone>, from = platform, context = command(from, merchantId)) =>
    from.billing.customers.createAll(context, [customer])
  const created = async (...customer: Parameters<typeof create>) => present((await done(create(...customer)))[0])
  const all = async () => {
    await platform.shown()
    return (await platform.billing.customers.list({ ...scope(), limit: 100 })()).resources
  }
  const resolve = (wanted: { id?: string; email?: string; phone?: string }, context = command(platform, merchantId)) =>
    platform.billing.customers.resolve(context, { id: null, email: null, phone: null, ...wanted })

  it('gives an email to one customer only, trimmed and in lower case', async () => {
    const { id } = await created(someone('Ada@Example.org '))
    expect(await refused(create(someone(' ada@example.ORG')))).toEqual({ _tag: 'EmailTaken', customerId: id })
    expect((await all()).map((each) => each.id)).toEqual([id])
  })

  it('makes the key of a new customer before it claims the email', async () => {
    const steps: Array<string> = []
    const { log, services } = platform
    const { customers } = createBilling({
      ...services,
      vault: {
        ...services.vault,
        prepare: (subject) => async () => {
          await services.vault.prepare(subject)()
          steps.push(`key of ${subject}`)
        },
      },
      store: {
        ...log,
        append: (stream, ...request) => {
          steps.push(stream.slice(0, stream.indexOf('-')))
          return log.append(stream, ...request)
        },
      },
    })
    const all = await done(customers.createAll(command(platform, merchantId), [someone('ada@example.org')]))
    expect(steps).toEqual([`key of ${all[0]?.id}`, 'reservation', 'customer'])
  })

  it('accepts the same email at another merchant and in the other environment', async () => {
    const second = await openShop(platform)
    const email = someone('ada@example.org')
    const made = [
      await created(email),
      await created(email, platform, command(platform, second)),
      await created(email, platform, command(platform, merchantId, { environment: 'mainnet' })),
    ]
    expect(new Set(made.map(({ id }) => id)).size).toBe(3)
  })

  it('creates one customer for sixteen concurrent requests of two processes with the same email', async () => {
    const second = await openPlatform(network, folder.path)
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, n) => create(someone('ada@example.org'), n % 2 === 0 ? platform : second)()),
    )
    const [only, ...more] = await all()
    expect(more).toEqual([])
    const taken = { _tag: 'Left', left: { _tag: 'EmailTaken', customerId: only?.id } }
    expect(outcomes.filter(({ _tag }) => _tag === 'Left')).toEqual(Array.from({ length: 15 }, () => taken))
    await second.close()
  })

  it('resolves sixteen concurrent checkouts with the same email to one customer', async () => {
    const price = { amount: '5', amountCents: null }
    const wanted = options({ id: null, email: 'ada@example.org', phone: null })
    const sessions = await Promise.all(
      Array.from({ length: 16 }, () =>
        done(platform.billing.checkouts.createDirect(command(platform, merchantId), price, 'USD', wanted)),
      ),
    )
    expect(await all()).toHaveLength(1)
    expect(new Set(sessions.map(({ customer_id }) => customer_id))).toEqual(new Set([(await all())[0]?.id]))
  })

  it('resolves a customer by id, else email, else the phone’s oldest living holder', async () => {
    const phone = '+1 (555) 0100'
    const oldest = await created(someone(null, 'One', phone))
    network.wait(1000)
    const younger = await created(someone(null, 'Two', '+15550100'))
    expect(await done(resolve({ phone: '+1-555-0100' }))).toBe(oldest.id)
    await done(platform.billing.customers.remove(command(platform, merchantId), oldest.id))
    expect(await done(resolve({ phone }))).toBe(younger.id)
    expect(await done(resolve({ id: younger.id, email: 'ada@example.org', phone }))).toBe(younger.id)
    const byEmail = await done(resolve({ email: 'ada@example.org', phone }))
    expect(byEmail).not.toBe(younger.id)
    expect(await done(resolve({ email: 'ADA@example.org' }))).toBe(byEmail)
    expect(await refused(resolve({ id: oldest.id }))).toEqual({ _tag: 'CustomerNotFound' })
    expect(await done(resolve({}))).toBeNull()
    expect(await done(platform.billing.customers.retrieve(scope(), present(byEmail)))).toMatchObject({
      email: 'ada@example.org',
      name: null,
      phone,
    })
  })

  it('creates one customer for concurrent requests with a new phone, and another after a deletion', async () => {
    const phone = '+49 30 1234'
    const ask = () => Promise.all(Array.from({ length: 16 }, () => done(resolve({ phone }))))
    const first = new Set(await ask())
    expect(first.size).toBe(1)
    const [id] = [...first]
    await done(platform.billing.customers.remove(command(platform, merchantId), String(id)))
    const second = new Set([...(await ask()), ...(await ask())])
    expect([second.size, second.has(id ?? null)]).toEqual([1, false])
  })

  it('does not confuse customers with phones without a digit', async () => {
    const first = await created(someone(null, 'One', 'none'))
    expect(await done(resolve({ phone: 'unknown' }))).not.toBe(first.id)
  })

  it('creates a batch of customers as a whole or not at all', async () => {
    await created(someone('ada@example.org'))
    const batch = (...emails: ReadonlyArray<string>) =>
      platform.billing.customers.createAll(
        command(platform, merchantId),
        emails.map((email) => someone(email)),
      )
    expect((await refused(batch('one@example.org', 'ada@example.org')))._tag).toBe('EmailTaken')
    expect(await refused(batch('one@example.org', 'ONE@example.org'))).toEqual({ _tag: 'EmailRepeated' })
    expect(await all()).toHaveLength(1)
    const made = await done(batch('one@example.org', 'two@example.org'))
    expect(made.map(({ email }) => email)).toEqual(['one@example.org', 'two@example.org'])
  })

  it.each([1, 3, 4])('completes a batch when its request is repeated after a crash at append %d', async (appends) => {
    const context = command(platform, merchantId)
    const batch = ['one', 'two', 'three'].map((name) => someone(`${name}@batch.example`))
    const dying = createBilling({ ...platform.services, store: dyingAfter(appends)(platform.log) }).customers
    await expect(dying.createAll(context, batch)()).rejects.toThrow(ProcessDied)
    const made = await done(platform.billing.customers.createAll(context, batch))
    expect(made.map(({ email }) => email)).toEqual(batch.map(({ email }) => email))
    expect((await all()).map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort())
    expect(await done(platform.billing.customers.createAll(context, batch))).toEqual(made)
  })

  it('returns the same customer for a repeated creation, whatever became of the email', async () => {
    const context = command(platform, merchantId)
    const { id } = await created(someone('ada@example.org'), platform, context)
    await done(platform.billing.customers.remove(command(platform, merchantId), id))
    await created(someone('ada@example.org'))
    expect((await created(someone('ada@example.org'), platform, context)).id).toBe(id)
    expect(await all()).toHaveLength(1)
  })

  it('does not find customers of another merchant', async () => {
    const second = await openShop(platform)
    const { id } = await created(someone('ada@example.org'))
    const foreign = { merchantId: second, environment: 'testnet' as const }
    expect(await refused(platform.billing.customers.retrieve(foreign, id))).toEqual({ _tag: 'CustomerNotFound' })
    expect(await refused(platform.billing.customers.remove(command(platform, second), id))).toMatchObject({
      _tag: 'ForeignStream',
    })
  })
})
