import * as E from 'fp-ts/lib/Either.js'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

const environment = 'testnet' as const

describe('customer export', () => {
  let directory: TestDirectory
  let merchantId: string
  let customerId: string
  beforeAll(async () => {
    directory = testDirectory()
    merchantId = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada')).merchantId
    customerId = await withCustomers(async (customers, context) => {
      const profile = {
        email: 'grace@example.com',
        name: 'Grace',
        phone: null,
        image: null,
        metadata: { rank: 'admiral' },
      }
      const made = await customers.createAll(context, [profile])()
      return E.isRight(made) ? (made.right[0]?.id ?? '') : ''
    })
  })
  afterAll(() => directory.remove())
  type Billing = Parameters<Parameters<TestDirectory['opened']>[0]>[0]['billing']
  type Context = Parameters<Billing['customers']['remove']>[0]
  const withCustomers = <A>(work: (customers: Billing['customers'], context: Context) => Promise<A>) =>
    directory.opened(({ billing }) => {
      const commandId = billing.freshId()
      const at = billing.clock.now(environment)
      const scope = { merchantId, environment }
      const context = { ...scope, commandId, correlationId: commandId, causationId: null, actor: 'test', at }
      return work(billing.customers, context)
    })
  const lines = async () => (await directory.inside('customer', 'export', customerId)).stdout.split('\n')

  it('prints everything for programs, and for people a line for each value', async () => {
    expect(await directory.json('customer', 'export', customerId)).toMatchObject({
      object: 'customer_export',
      environment,
      customer: { id: customerId, email: 'grace@example.com', metadata: { rank: 'admiral' } },
      payments: [],
      history: [{ type: 'CustomerCreated', data: { profile: { name: 'Grace' } } }],
    })
    const printed = await lines()
    expect(printed.slice(printed.indexOf('customer:')).slice(0, 5)).toEqual([
      'customer:',
      `  id: ${customerId}`,
      '  object: customer',
      '  email: grace@example.com',
      '  name: Grace',
    ])
    expect(printed).toEqual(expect.arrayContaining(['payments: none', 'history:', `  - of: ${customerId}`]))
  })

  it('refuses an unknown customer, one of another environment, and one who was erased', async () => {
    expect(await directory.refusal('customer', 'export', 'cus_none')).toEqual([1, 'customer_not_found'])
    const elsewhere = directory.refusal('customer', 'export', customerId, '--environment', 'mainnet')
    expect(await elsewhere).toEqual([1, 'customer_not_found'])
    await withCustomers((customers, context) => customers.remove(context, customerId)())
    expect(await directory.refusal('customer', 'export', customerId)).toEqual([1, 'customer_erased'])
    const { stderr } = await directory.inside('customer', 'export', customerId)
    expect(stderr).toMatch(/^.*The customer was erased on \d{4}-.*: the key of all personal data is destroyed/)
  })
})
