import { minuteMs } from '@quittance/domain'
import { done, present, refused } from '../../testing/outcomes.ts'
import { command, openShop, someone } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'

describe('updating a customer', () => {
  let shop: StoreFront
  let people = 0
  beforeAll(async () => {
    shop = await openStoreFront()
  })
  afterAll(() => shop.close())
  const newContext = () => command(shop.platform, shop.merchantId)
  const unique = () => `person-${people++}@example.org`
  const created = async (email: string | null = unique(), phone: string | null = null, metadata: unknown = {}) => {
    const wanted = [{ ...someone(email, 'Ada', phone), metadata }]
    return present((await done(shop.billing.customers.createAll(newContext(), wanted)))[0])
  }
  const update = (id: string, patch: object, context = newContext()) =>
    shop.billing.customers.update(context, id, patch)
  const retrieved = (id: string) => done(shop.billing.customers.retrieve(shop.scope, id))
  const resolve = (wanted: { email?: string; phone?: string }) =>
    done(shop.billing.customers.resolve(newContext(), { id: null, email: null, phone: null, ...wanted }))
  const eventsOf = async (id: string) =>
    (await done(shop.platform.log.readStream(`customer-${id}`))).events.map(({ type }) => type)

  it('changes only the given fields of a customer', async () => {
    const before = await created(unique(), '+15550100', { tier: 'gold', since: '2020' })
    shop.network.wait(minuteMs)
    const after = await done(update(before.id, { name: 'Ada Lovelace' }))
    expect(after).toEqual({ ...before, name: 'Ada Lovelace', updated_at: expect.any(String) })
    expect(Date.parse(after.updated_at) - Date.parse(before.updated_at)).toBeGreaterThanOrEqual(minuteMs)
    expect(await retrieved(before.id)).toEqual(after)
    const more = { phone: null, image: 'https://a.example/ada.png', metadata: { tier: null, city: 'London' } }
    expect(await done(update(before.id, more))).toMatchObject({
      name: 'Ada Lovelace',
      email: before.email,
      phone: null,
      image: 'https://a.example/ada.png',
      metadata: { since: '2020', city: 'London' },
    })
  })

  it('records nothing if an update changes nothing about a customer', async () => {
    const { id, email, name, metadata } = await created(unique(), '+15550111', { tier: 'gold' })
    await done(update(id, { email, name, phone: '+15550111', image: null, metadata }))
    await done(update(id, {}))
    expect(await eventsOf(id)).toEqual(['CustomerCreated'])
  })

  it('keeps a new spelling of the same email without a new claim', async () => {
    const { id, email } = await created()
    const spelled = present(email).toUpperCase()
    expect((await done(update(id, { email: spelled }))).email).toBe(spelled)
    expect(await resolve({ email: present(email) })).toBe(id)
  })

  it('claims a new email and releases the old one', async () => {
    const [old, fresh] = [unique(), unique()]
    const { id } = await created(old)
    expect((await done(update(id, { email: fresh }))).email).toBe(fresh)
    expect(await refused(update((await created()).id, { email: fresh }))).toEqual({
      _tag: 'EmailTaken',
      customerId: id,
    })
    const next = await created(old)
    expect(await resolve({ email: old })).toBe(next.id)
    expect(await resolve({ email: fresh })).toBe(id)
  })

  it('passes an email back and forth between customers', async () => {
    const [one, other] = [unique(), unique()]
    const { id } = await created(one)
    for (const email of [other, one, other, one]) {
      expect((await done(update(id, { email }))).email).toBe(email)
      expect(await resolve({ email })).toBe(id)
    }
    const second = await created(other)
    expect(await refused(update(id, { email: other }))).toEqual({ _tag: 'EmailTaken', customerId: second.id })
  })

  it('releases a removed email for another customer', async () => {
    const email = unique()
    const { id } = await created(email)
    expect((await done(update(id, { email: null }))).email).toBeNull()
    expect((await created(email)).id).not.toBe(id)
  })

  it('finds a phone number’s current holder', async () => {
    const { id } = await created(unique(), '+15550199')
    await done(update(id, { phone: '+15550188' }))
    expect(await resolve({ phone: '+1 555 0188' })).toBe(id)
    expect(await resolve({ phone: '+15550199' })).not.toBe(id)
  })

  it('rejects an update with invalid metadata as a whole and claims no email', async () => {
    const { id } = await created(unique(), null, Object.fromEntries(Array.from({ length: 50 }, (_, n) => [n, 'x'])))
    const email = unique()
    const tooMany = await refused(update(id, { email, metadata: { one: 'more' } }))
    expect(tooMany).toEqual({ _tag: 'MetadataTooManyKeys', maximum: 50 })
    expect(await refused(update(id, { email, metadata: { 1: 5 } }))).toMatchObject({ _tag: 'MetadataValueNotText' })
    expect((await created(email)).email).toBe(email)
    expect(Object.keys((await done(update(id, { metadata: { 1: null, one: 'more' } }))).metadata)).toHaveLength(50)
  })

  it('returns the same customer for a repeated update, whatever came since', async () => {
    const context = newContext()
    const [first, second] = [unique(), unique()]
    const { id } = await created()
    const answer = await done(update(id, { email: first }, context))
    await done(update(id, { email: second, name: 'Grace' }))
    await created(first)
    expect(await done(update(id, { email: first }, context))).toEqual(answer)
    expect(await retrieved(id)).toMatchObject({ email: second, name: 'Grace' })
  })

  it('does not update a customer that is unknown, deleted or of another merchant', async () => {
    const { id } = await created()
    const foreign = command(shop.platform, await openShop(shop.platform))
    expect(await refused(update(id, { name: 'Eve' }, foreign))).toEqual({ _tag: 'CustomerNotFound' })
    const mainnet = command(shop.platform, shop.merchantId, { environment: 'mainnet' })
    expect(await refused(update(id, { name: 'Eve' }, mainnet))).toEqual({ _tag: 'CustomerNotFound' })
    expect(await refused(update('cus_unknown', { name: 'Eve' }))).toEqual({ _tag: 'CustomerNotFound' })
    await done(shop.billing.customers.remove(newContext(), id))
    expect(await refused(update(id, { name: 'Eve' }))).toEqual({ _tag: 'CustomerNotFound' })
  })

  it('loses no field of two concurrent updates', async () => {
    const { id } = await created()
    const fields = [{ name: 'Grace' }, { phone: '+15550177' }, { metadata: { a: '1' } }, { metadata: { b: '2' } }]
    await Promise.all(fields.map((patch) => done(update(id, patch))))
    expect(await retrieved(id)).toMatchObject({ name: 'Grace', phone: '+15550177', metadata: { a: '1', b: '2' } })
  })
})
