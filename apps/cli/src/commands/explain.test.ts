import * as E from 'fp-ts/lib/Either.js'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

const environment = 'testnet' as const

describe('explain', () => {
  let directory: TestDirectory
  let customerId: string
  beforeAll(async () => {
    directory = testDirectory()
    const { merchantId } = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada'))
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
