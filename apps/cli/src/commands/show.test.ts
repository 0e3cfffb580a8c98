import { asText } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

const environment = 'testnet' as const

describe('show', () => {
  let directory: TestDirectory
  let merchantId: string
  let customerId: string
  let before: string
  beforeAll(async () => {
    directory = testDirectory()
    merchantId = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada')).merchantId
    const made = await directory.opened(async ({ billing }) => {
      const context = () => {
        const commandId = billing.freshId()
        const at = billing.clock.now(environment)
        return { merchantId, environment, commandId, correlationId: commandId, causationId: null, actor: 'test', at }
      }
      const profile = { email: 'grace@example.com', name: 'Grace', phone: null, image: null, metadata: {} }
      const created = await billing.customers.createAll(context(), [profile])()
      const id = E.isRight(created) ? (created.right[0]?.id ?? '') : ''
      const then = billing.clock.now(environment)
      while (billing.clock.now(environment) <= then) await new Promise((resolve) => setImmediate(resolve))
      await billing.customers.update(context(), id, { name: 'Grace Hopper' })()
      const unchanged = { legalName: asText('Compilers Ltd'), address: undefined, taxId: undefined }
      const rest = { supportContact: undefined, terms: undefined, logo: undefined }
      await billing.merchantProfiles.change(context(), { ...unchanged, ...rest })()
      return { id, before: new Date(then).toISOString() }
    })
    customerId = made.id
    before = made.before
  })
  afterAll(() => directory.remove())

  it('prints a resource as it is, as it was, and as it was known', async () => {
    expect(await directory.json('show', customerId)).toMatchObject({ id: customerId, name: 'Grace Hopper' })
    for (const moment of ['--at', '--known-at']) {
      expect(await directory.json('show', customerId, moment, before)).toMatchObject({ name: 'Grace' })
    }
    expect(await directory.json('show', customerId, '--at', before, '--known-at', before)).toMatchObject({
      name: 'Grace',
    })
    const { stdout } = await directory.inside('show', customerId, '--at', before)
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      `id: ${customerId}`,
      'object: customer',
      'email: grace@example.com',
      'name: Grace',
    ])
  })

  it("prints the merchant's profile as it was", async () => {
    expect(await directory.json('show', 'merchant')).toMatchObject({ legal_name: 'Compilers Ltd' })
    expect(await directory.json('show', 'merchant', '--known-at', before)).toMatchObject({ legal_name: null })
  })

  it('refuses what there was not, what cannot be shown, and what nobody can know yet', async () => {
    expect(await directory.refusal('show', customerId, '--known-at', '2020-01')).toEqual([1, 'not_found'])
    expect(await directory.refusal('show', `${customerId}/prod_none`)).toEqual([1, 'not_found'])
    expect(await directory.refusal('show', customerId, '--environment', 'mainnet')).toEqual([1, 'not_found'])
    expect(await directory.refusal('show', 'evt_1')).toEqual([2, 'usage'])
    expect(await directory.refusal('show', customerId, '--at', 'yesterday')).toEqual([2, 'usage'])
    expect(await directory.refusal('show', customerId, '--known-at', '2999-01')).toEqual([2, 'usage'])
  })
})
