import { asText, CurrencyCode, count, positiveCount } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

const environment = 'testnet' as const

const plan = (amount: string, recurringPeriod: 'month' | 'year') => ({
  name: asText('Club'),
  description: null,
  images: [],
  type: 'subscription' as const,
  currency: decoded(CurrencyCode, 'EUR'),
  price: { amount, amountCents: null },
  assetId: null,
  recurringPeriod,
  trialDays: null,
  unit: null,
  unitsPerCredit: positiveCount(1),
  totalCredits: count(0),
  metadata: {},
})

describe('explain', () => {
  let directory: TestDirectory
  let merchantId: string
  let customerId: string
  beforeAll(async () => {
    directory = testDirectory()
    merchantId = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada')).merchantId
    customerId = await directory.opened(async ({ billing }) => {
      const commandId = billing.freshId()
      const at = billing.clock.now(environment)
      const ids = { commandId, correlationId: commandId, causationId: null }
      const context = { merchantId, environment, ...ids, actor: '=cmd|evil', at }
      const profile = { email: 'grace@example.com', name: '<b>Grace</b>', phone: null, image: null, metadata: {} }
      const made = await billing.customers.createAll(context, [profile])()
      const id = E.isRight(made) ? (made.right[0]?.id ?? '') : ''
      await billing.customers.remove({ ...context, commandId: billing.freshId(), at }, id)()
      return id
    })
  })
  afterAll(() => directory.remove())
  const printed = async (...words: ReadonlyArray<string>): Promise<string> =>
    (await directory.inside('explain', ...words)).stdout

  it('tells each entry for programs, for people, as CSV and as a page, without a name', async () => {
    expect(await directory.json('explain', customerId)).toMatchObject({
      id: customerId,
      entries: [
        { type: 'CustomerCreated', status: 'active', cause: { type: 'request' } },
        { type: 'CustomerDeleted', status: 'deleted' },
      ],
    })
    const text = await printed(customerId)
    expect(text).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} {2}Customer created\n/)
    expect(text).toContain(`customer ${customerId}, then deleted`)
    const csv = await printed(customerId, '--csv')
    expect(csv.split('\r\n')[0]).toMatch(/^occurred_at,recorded_at,resource,resource_id,type,what,why,/)
    expect(csv).toContain(`,'=cmd|evil,`)
    const page = await printed(customerId, '--html')
    expect(page).toMatch(/^<!doctype html>.*<svg .*<\/html>\n$/s)
    expect(page).toMatch(/<p class="of">Status: active from \d{4}-\d\d-\d\d .*, deleted from .*\.<\/p>/)
    expect(page).not.toMatch(/<script|src=|href="[^#]|url\(/)
    expect(text + csv + page).not.toMatch(/Grace|grace@/)
  })

  it('names what led to a status, and what differs between two moments', async () => {
    expect(await directory.json('explain', customerId, '--why', 'deleted')).toMatchObject({
      why: 'deleted',
      entries: [{ type: 'CustomerDeleted' }],
    })
    expect(await directory.refusal('explain', customerId, '--why', 'past_due')).toEqual([1, 'never_so'])
    const compared = directory.json('explain', customerId, '--diff', '2020-01..2099-01')
    expect(await compared).toMatchObject({
      differences: [
        { of: 'status', before: 'none', after: 'deleted' },
        { of: 'entries', before: '0', after: '2' },
      ],
      entries: [{ type: 'CustomerCreated' }, { type: 'CustomerDeleted' }],
    })
    expect(await directory.json('explain', customerId, '--diff', customerId)).toMatchObject({ differences: [] })
  })

  it('compares the fields of two resources, and of one at two moments, in words', async () => {
    const [monthly, yearly] = await directory.opened(async ({ billing }) => {
      const made = async (price: string, recurringPeriod: 'month' | 'year') => {
        const commandId = billing.freshId()
        const ids = { commandId, correlationId: commandId, causationId: null, actor: 'test' }
        const context = { merchantId, environment, ...ids, at: billing.clock.now(environment) }
        const created = await billing.products.create(context, plan(price, recurringPeriod))()
        return E.isRight(created) ? created.right.id : ''
      }
      return [await made('12.50', 'month'), await made('125', 'year')]
    })
    expect(await directory.json('explain', monthly ?? '', '--diff', yearly)).toMatchObject({
      differences: expect.arrayContaining([
        { of: 'price', before: '12.5 EUR', after: '125 EUR' },
        { of: 'recurring period', before: 'month', after: 'year' },
      ]),
      entries: [],
    })
    expect(await printed(monthly ?? '', '--diff', '2020-01..2099-01')).toMatch(
      /^ {2}created at: none → \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m,
    )
  })

  it.each([
    ['ada', 2, 'usage'],
    ['pay_0350octnOHjxKc0nvAnxpS', 1, 'history_not_found'],
  ])('refuses %s', async (id, status, code) => {
    expect(await directory.refusal('explain', id)).toEqual([status, code])
  })

  it.each([['2026-11'], ['2026-12..2026-11'], ['a..b']])('refuses to compare %s', async (between) => {
    expect(await directory.refusal('explain', customerId, '--diff', between)).toEqual([2, 'usage'])
  })
})
