import * as E from 'fp-ts/lib/Either.js'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

const environment = 'testnet' as const

describe('customer merge', () => {
  let directory: TestDirectory
  let ids: ReadonlyArray<string>
  beforeAll(async () => {
    directory = testDirectory()
    const { merchantId } = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada'))
    ids = await directory.opened(async ({ billing }) => {
      const commandId = billing.freshId()
      const at = billing.clock.now(environment)
      const people = ['grace@example.com', 'hopper@example.com', 'third@example.com'].map((email) => {
        return { email, name: 'Grace', phone: null, image: null, metadata: {} }
      })
      const context = {
        merchantId,
        environment,
        commandId,
        correlationId: commandId,
        causationId: null,
        actor: 'test',
        at,
      }
      const made = await billing.customers.createAll(context, people)()
      return E.isRight(made) ? made.right.map(({ id }) => id) : []
    })
  })
  afterAll(() => directory.remove())
  const line = (from = '', into = '') => {
    return ['customer', 'merge', '--from', from, '--into', into, '--reason', 'signed with both', '--by', 'Ada']
  }

  it('merges, says who remains, and says the same again', async () => {
    const [from = '', into = ''] = ids
    const answer = { object: 'customer_merge', customer_id: into, merged_customer_id: from }
    for (const _ of ['first', 'again'])
      expect(await directory.json(...line(from, into))).toEqual({ ...answer, by: 'Ada', reason: 'signed with both' })
    expect((await directory.inside(...line(from, into))).stdout).toBe(
      `Merged: ${from} is ${into} from now on, says Ada.\n`,
    )
    expect(await directory.json('customer', 'export', from)).toMatchObject({
      customer: { id: into, email: 'hopper@example.com' },
      merged_customers: [{ id: from, email: 'grace@example.com', merged_into: into }],
    })
  })

  it('refuses what cannot be one, and a merge without a reason', async () => {
    const [from = '', into = '', third = ''] = ids
    expect(await directory.refusal(...line(into, into))).toEqual([1, 'same_customer'])
    expect(await directory.refusal(...line(into, from))).toEqual([1, 'customer_is_merged'])
    expect(await directory.refusal(...line(third, from))).toEqual([1, 'customer_is_merged'])
    expect(await directory.refusal(...line('cus_none', into))).toEqual([1, 'customer_not_found'])
    expect(await directory.refusal(...line(third, into), '--environment', 'mainnet')).toEqual([1, 'customer_not_found'])
    expect(await directory.refusal('customer', 'merge', '--from', third, '--into', into)).toEqual([2, 'usage'])
  })
})
