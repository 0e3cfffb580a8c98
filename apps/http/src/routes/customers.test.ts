import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const create = (body: unknown) => service.api('/customers', { body: JSON.stringify(body) })
const everybody = async (): Promise<ReadonlyArray<{ id: string; email: string }>> =>
  (await service.api('/customers?limit=100')).body.data.data

describe('a customer', () => {
  it('returns a customer with every documented field, null where it is unset', async () => {
    const { status, body } = await create({ email: 'ada@example.com', name: 'Ada Lovelace' })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          id: expect.stringMatching(/^cus_[0-9A-Za-z]{22}$/),
          object: 'customer',
          email: 'ada@example.com',
          name: 'Ada Lovelace',
          phone: null,
          image: null,
          wallets: [],
          metadata: {},
          merged_into: null,
          created_at: isoTime,
          updated_at: isoTime,
        },
      },
    })
    expect((await service.api(`/customers/${body.data.id}`)).body).toEqual(body)
  })

  it('keeps all input of a customer', async () => {
    const given = {
      email: ' Grace@Example.com ',
      name: 'Grace Hopper',
      phone: '+1 (555) 010-0100',
      image: 'https://a.example/g.png',
      metadata: { rank: 'admiral' },
    }
    expect((await create(given)).body.data).toMatchObject({ ...given, email: 'Grace@Example.com' })
  })

  it.each([
    ['no email', { name: 'A' }, 'invalid_request', 'email'],
    ['an invalid email', { email: 'nobody', name: 'A' }, 'invalid_request', 'email'],
    ['two emails in one', { email: 'a@b@c', name: 'A' }, 'invalid_request', 'email'],
    ['no name', { email: 'a@b.example' }, 'invalid_request', 'name'],
    [
      'a phone number without digits',
      { email: 'a@b.example', name: 'A', phone: 'call me' },
      'invalid_request',
      'phone',
    ],
    ['an image that is no address', { email: 'a@b.example', name: 'A', image: '/a.png' }, 'invalid_request', 'image'],
    ['metadata of numbers', { email: 'a@b.example', name: 'A', metadata: { n: 1 } }, 'invalid_metadata', 'metadata'],
    ['null instead of a customer', null, 'invalid_request', 'body'],
    ['a text instead of a customer', 'ada', 'invalid_request', 'body'],
  ])('refuses a customer with %s', async (_, body, code, param) => {
    const answer = await create(body)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: problem(code, param) })
  })

  it('refuses an email that another customer has in any spelling, and names that customer', async () => {
    const first = await create({ email: 'edsger@example.com', name: 'Edsger' })
    const second = await create({ email: ' EDSGER@example.COM', name: 'Another' })
    expect({ status: second.status, body: second.body }).toEqual({ status: 409, body: problem('email_taken', 'email') })
    expect(second.body.error).toContain(first.body.data.id)
  })

  it('answers a deletion with null, and then finds the customer neither by id nor in the list', async () => {
    const { body } = await create({ email: 'gone@example.com', name: 'Gone' })
    const path = `/customers/${body.data.id}`
    const removed = await service.api(path, { method: 'DELETE', headers: { 'content-type': 'application/json' } })
    expect({ status: removed.status, body: removed.body }).toEqual({ status: 200, body: { data: null } })
    const missing = await service.api(path)
    expect({ status: missing.status, body: missing.body }).toEqual({ status: 404, body: problem('not_found') })
    expect((await service.api(path, { method: 'DELETE' })).body).toEqual({ data: null })
    expect((await service.api('/customers/cus_unknown', { method: 'DELETE' })).status).toBe(404)
    expect((await everybody()).map(({ id }) => id)).not.toContain(body.data.id)
    expect((await create({ email: 'gone@example.com', name: 'Back' })).status).toBe(200)
  })
})

describe('a change of a customer', () => {
  const made = async (email: string, more: object = {}) => (await create({ email, name: 'Ada', ...more })).body.data
  const change = (id: string, body: object) => service.api(`/customers/${id}`, { method: 'PUT', body })

  it('changes only the given fields of a customer, and retrieves it as answered', async () => {
    const before = await made('before@change.example', { phone: '+49 30 12345', metadata: { a: 'x', b: 'y' } })
    const { status, body } = await change(before.id, { name: 'Ada Lovelace', metadata: { a: null, c: 'z' } })
    const expected = { ...before, name: 'Ada Lovelace', metadata: { b: 'y', c: 'z' }, updated_at: isoTime }
    expect({ status, body }).toEqual({ status: 200, body: { data: expected } })
    expect((await service.api(`/customers/${before.id}`)).body).toEqual(body)
    const given = { phone: '+49 30 54321', image: 'https://a.example/ada.png' }
    expect((await change(before.id, given)).body.data).toEqual({ ...expected, ...given })
    const taken = { phone: null, image: null, metadata: null }
    expect((await change(before.id, taken)).body.data).toMatchObject({ phone: null, image: null, metadata: { b: 'y' } })
  })

  it('accepts every field of a response as a change of a customer', async () => {
    const customer = await made('back@change.example', { phone: '+49 30 54321' })
    expect((await change(customer.id, customer)).body).toEqual({ data: customer })
  })

  it('a change of a customer sets a unique email, and frees the old one', async () => {
    const [first, second] = [await made('first@change.example'), await made('second@change.example')]
    const refused = await change(second.id, { email: ' FIRST@change.example' })
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 409,
      body: problem('email_taken', 'email'),
    })
    expect(refused.body.error).toContain(first.id)
    expect((await change(first.id, { email: 'third@change.example' })).body.data.email).toBe('third@change.example')
    expect((await change(second.id, { email: 'first@change.example' })).status).toBe(200)
  })

  it.each([
    ['an invalid email', { email: 'nobody' }, 'invalid_request', 'email'],
    ['an empty name', { name: ' ' }, 'invalid_request', 'name'],
    ['a phone number without digits', { phone: 'call me' }, 'invalid_request', 'phone'],
    ['an image that is no address', { image: '/a.png' }, 'invalid_request', 'image'],
    ['metadata of numbers', { metadata: { n: 1 } }, 'invalid_metadata', 'metadata'],
    ['metadata that is a list', { metadata: [] }, 'invalid_metadata', 'metadata'],
  ])('refuses a change of a customer to %s', async (what, body, code, param) => {
    const { id } = await made(`${what.replaceAll(' ', '-')}@refused.example`)
    const answer = await change(id, body)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: problem(code, param) })
  })

  it('finds no customer to change by an unknown or deleted id', async () => {
    const { id } = await made('deleted@change.example')
    await service.api(`/customers/${id}`, { method: 'DELETE' })
    for (const each of [id, 'cus_0000000000000000000000', 'x']) {
      const { status, body } = await change(each, { name: 'Nobody' })
      expect({ status, body }).toEqual({ status: 404, body: problem('not_found') })
    }
  })
})

describe('a batch of customers', () => {
  const three = ['alan', 'barbara', 'clara'].map((name) => ({ email: `${name}@batch.example`, name }))

  it('answers a batch of customers in the order of the request', async () => {
    const { status, body } = await create(three)
    expect({ status, names: body.data.map(({ name }: { name: string }) => name) }).toEqual({
      status: 200,
      names: three.map(({ name }) => name),
    })
    expect(new Set(body.data.map(({ id }: { id: string }) => id)).size).toBe(3)
  })

  it.each([
    ['an entry is malformed', { email: 'nobody', name: 'B' }, 400, problem('invalid_request', 'email')],
    ['an entry is null', null, 400, problem('invalid_request', 'body')],
    [
      'metadata breaks a limit',
      { email: 'x@new.example', name: 'X', metadata: { n: 1 } },
      400,
      problem('invalid_metadata', 'metadata'),
    ],
    ['an email is taken', { email: 'ALAN@batch.example', name: 'B' }, 409, problem('email_taken', 'email')],
    ['two emails are the same', { email: 'First@new.example', name: 'B' }, 400, problem('email_repeated', 'email')],
  ])('writes no customer of a batch when %s', async (_, bad, status, body) => {
    await create(three)
    const before = await everybody()
    const answer = await create([{ email: 'first@new.example', name: 'First' }, bad])
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body })
    expect(await everybody()).toEqual(before)
  })

  it.each([0, 101])('refuses a batch of %d customers', async (count) => {
    const batch = Array.from({ length: count }, (_, n) => ({ email: `${n}@many.example`, name: `${n}` }))
    const { status, body } = await create(batch)
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', 'body') })
  })

  it('accepts up to 100 customers, and returns the same ones when a batch is repeated under its key', async () => {
    const batch = Array.from({ length: 100 }, (_, n) => ({ email: `${n}@hundred.example`, name: `${n}` }))
    const send = () => service.api('/customers', { body: batch, headers: { 'idempotency-key': 'hundred' } })
    const first = await send()
    expect(first.body.data.length).toBe(100)
    expect((await send()).body).toEqual(first.body)
  })
})

describe('the list of customers', () => {
  it('pages through all customers once', async () => {
    await create({ email: 'one-more@example.com', name: 'One more' })
    const all = await everybody()
    const seen: Array<unknown> = []
    for (let cursor = ''; ; ) {
      const { data } = (await service.api(`/customers?limit=7${cursor}`)).body
      seen.push(...data.data)
      if (!data.has_more) break
      cursor = `&starting_after=${data.data.at(-1).id}`
    }
    expect(seen.slice(0, 100)).toEqual(all)
  })
})

describe('the list of customers by email and phone', () => {
  const ids = async (query: string): Promise<ReadonlyArray<string>> => {
    const { status, body } = await service.api(`/customers?${query}`)
    expect({ status, url: body.data?.url }).toEqual({ status: 200, url: '/customers' })
    return body.data.data.map(({ id }: { readonly id: string }) => id)
  }
  /** Newest first. */
  let made: ReadonlyArray<string>
  const emailOf = async (id: string | undefined) => {
    const { email } = (await service.api(`/customers/${id}`)).body.data
    return encodeURIComponent(String(email))
  }
  beforeAll(async () => {
    const people = ['first', 'second', 'third'].map((name) => {
      return { email: `${name}+x@found.example`, name, phone: '+44 (20) 7946 0000' }
    })
    const { data } = (await create(people)).body
    made = data
      .map(({ id }: { readonly id: string }) => id)
      .sort()
      .reverse()
  })

  it('holds those who have them, newest first', async () => {
    const [, second] = made
    const email = await emailOf(second)
    expect(await ids(`email=${email}`)).toEqual([second])
    expect(await ids(`email=${email.toUpperCase()}`)).toEqual([second])
    expect(await ids('phone=%2B442079460000')).toEqual(made)
    expect(await ids(`phone=%2B44-20-7946-0000&email=${email}`)).toEqual([second])
    expect(await ids('email=nobody@found.example')).toEqual([])
  })

  it('has pages', async () => {
    const [newest, second, oldest] = made
    expect(await ids(`phone=%2B442079460000&limit=1&starting_after=${newest}`)).toEqual([second])
    expect(await ids(`phone=%2B442079460000&limit=1&ending_before=${oldest}`)).toEqual([second])
    expect(await ids(`email=${await emailOf(newest)}&starting_after=${newest}`)).toEqual([])
    expect(await ids(`email=${await emailOf(newest)}&created[gte]=2099-01-01T00:00:00Z`)).toEqual([])
  })

  it('reads a plus before a phone number that was not encoded', async () =>
    expect(await ids('phone=+442079460000')).toEqual(made))

  it.each([
    ['email=', 'email'],
    ['email=nobody', 'email'],
    ['email=first+x@found.example', 'email'],
    ['email=a@b.example&email=a@b.example', 'email'],
    ['phone=', 'phone'],
    ['phone=12', 'phone'],
  ])('refuses %s', async (query, param) => {
    const { status, body } = await service.api(`/customers?${query}`)
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', param) })
  })
})

describe('the deletion of a customer', () => {
  it('is answered by 503 while the list of erased customers cannot be written, and done once it can', async () => {
    const { id } = (await create({ email: 'list@example.com', name: 'Grace Hopper' })).body.data
    const list = join(service.dataDir, 'erased.txt')
    const listed = existsSync(list) ? readFileSync(list, 'utf8') : ''
    rmSync(list, { force: true })
    mkdirSync(list)
    const remove = () =>
      service.api(`/customers/${id}`, { method: 'DELETE', headers: { 'idempotency-key': `erase ${id}` } })
    expect(await remove()).toMatchObject({ status: 503, body: { code: 'store_unavailable' } })
    rmdirSync(list)
    writeFileSync(list, listed)
    expect((await remove()).status).toBe(200)
    expect(readFileSync(list, 'utf8')).toBe(`${listed}${id}\n`)
  })
})

describe('the export of a customer', () => {
  it('answers everything that is kept, and 410 once the customer is erased', async () => {
    const { id } = (await create({ email: 'export@example.com', name: 'Grace Hopper' })).body.data
    const { status, body } = await service.api(`/customers/${id}/export`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      object: 'customer_export',
      customer: { id, email: 'export@example.com' },
      ...{ access: [], subscriptions: [], mandates: [], invoices: [], checkouts: [], payments: [], refunds: [] },
      ...{ exceptions: [], credits: [] },
      history: [{ of: id, type: 'CustomerCreated', data: { profile: { name: 'Grace Hopper' } } }],
    })
    await service.api(`/customers/${id}`, { method: 'DELETE' })
    const erased = await service.api(`/customers/${id}/export`)
    expect(erased).toMatchObject({ status: 410, body: { code: 'customer_erased' } })
    expect(erased.body.error).toMatch(/^The customer was erased on \d{4}-/)
  })
})
