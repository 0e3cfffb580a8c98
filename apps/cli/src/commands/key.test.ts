import * as O from 'fp-ts/lib/Option.js'
import { scopes } from '../scopes.ts'
import { onChosenStore } from '../testing/on-chosen-store.ts'
import { printed, processMs, type TestDirectory } from '../testing/run-cli.ts'
import { anyKey, anyKeyId, anyTime, keyIn, merchantIn } from '../testing/shapes.ts'

describe('keys at the command line', () => {
  let directory: TestDirectory
  beforeEach(() => {
    directory = onChosenStore()
  })
  afterEach(() => directory.remove())

  const create = async (name: string) => merchantIn(await directory.json('merchant', 'create', '--name', name))
  /** Whom the service takes the bearers of these keys for. */
  const bearers = (...keys: ReadonlyArray<string>) =>
    directory.opened(({ billing }) => keys.map((key) => O.toNullable(billing.merchants.authenticate(key))))

  it(
    'work from the moment they are made until they are revoked, which ends no other',
    async () => {
      const { merchantId, apiKey: first } = await create('Ada')
      const made = printed(await directory.run('key', 'create', '--json'))
      expect(made).toEqual({ key_id: anyKeyId, api_key: anyKey('sk_test_') })
      const { keyId, apiKey: second } = keyIn(made)
      const bearer = { merchantId, environment: 'testnet', kind: 'secret', scopes: [], keyId: anyKeyId }
      expect(await bearers(first, second)).toEqual([bearer, { ...bearer, keyId }])

      const revoked = printed(await directory.run('key', 'revoke', keyId, '--json'))
      expect(revoked).toEqual({
        key_id: keyId,
        merchant_id: merchantId,
        environment: 'testnet',
        prefix: 'sk_test_',
        last_four: second.slice(-4),
        scopes: [],
        created_at: anyTime,
        revoked_at: anyTime,
      })
      expect(await directory.json('key', 'revoke', keyId)).toEqual(revoked)
      expect(await bearers(first, second)).toEqual([bearer, null])
    },
    processMs,
  )

  it(
    'are of one environment, and restricted to their scopes, each once and in order',
    async () => {
      const { merchantId } = await create('Ada')
      const live = keyIn(await directory.json('key', 'create', '--environment', 'mainnet'))
      const restricted = ['--scopes', 'access:read, payments:read,access:read']
      const app = keyIn(printed(await directory.run('key', 'create', ...restricted, '--json')))
      expect([live.apiKey, app.apiKey]).toEqual([anyKey('sk_live_'), anyKey('app_test_')])
      expect(await bearers(live.apiKey, app.apiKey)).toEqual([
        { merchantId, environment: 'mainnet', keyId: live.keyId, kind: 'secret', scopes: [] },
        { merchantId, environment: 'testnet', keyId: app.keyId, kind: 'app', scopes: ['payments:read', 'access:read'] },
      ])
    },
    processMs,
  )

  it(
    'are listed for all merchants or for one, without anything secret',
    async () => {
      expect(await directory.json('key', 'list')).toEqual([])
      const ada = await create('Ada')
      const bob = await create('Bob')
      const listed = ({ merchantId, apiKey }: typeof ada) => ({
        key_id: anyKeyId,
        merchant_id: merchantId,
        environment: 'testnet',
        prefix: 'sk_test_',
        last_four: apiKey.slice(-4),
        scopes: [],
        created_at: anyTime,
        revoked_at: null,
      })
      expect(printed(await directory.run('key', 'list', '--json'))).toEqual([listed(ada), listed(bob)])
      expect(await directory.json('key', 'list', '--merchant', bob.merchantId)).toEqual([listed(bob)])

      const { stdout } = await directory.run('key', 'list')
      expect(stdout.split('\n').map((line) => line.split(/\s{2,}/).slice(1, 5))).toEqual([
        ['MERCHANT', 'ENVIRONMENT', 'BEGINS', 'ENDS'],
        [ada.merchantId, 'testnet', 'sk_test_', ada.apiKey.slice(-4)],
        [bob.merchantId, 'testnet', 'sk_test_', bob.apiKey.slice(-4)],
        [],
      ])
    },
    processMs,
  )

  it(
    'of two merchants are kept apart, and must be asked for by merchant',
    async () => {
      const ada = await create('Ada')
      const bob = await create('Bob')
      const unclear = await directory.run('key', 'create')
      expect(unclear).toEqual({
        status: 2,
        stdout: '',
        stderr: `There are 2 merchants: say which with --merchant <merchant_id>.
See: quittance key create --help
`,
      })
      const key = keyIn(await directory.json('key', 'create', '--merchant', bob.merchantId))
      expect((await bearers(ada.apiKey, key.apiKey)).map((bearer) => bearer?.merchantId)).toEqual([
        ada.merchantId,
        bob.merchantId,
      ])
    },
    processMs,
  )

  it.each([
    { words: ['create'], code: 'no_merchant', rule: 'are not made without a merchant' },
    {
      words: ['create', '--merchant', 'mer_x'],
      code: 'merchant_not_found',
      rule: 'are not made for a merchant that nobody knows',
    },
    {
      words: ['list', '--merchant', 'mer_x'],
      code: 'merchant_not_found',
      rule: 'are not listed for a merchant that nobody knows',
    },
    {
      words: ['revoke', `key_${'0'.repeat(22)}`],
      code: 'api_key_not_found',
      rule: 'that nobody knows are not revoked',
    },
  ])(
    '$rule',
    async ({ words, code }) => {
      const { status, stdout, stderr } = await directory.inside('key', ...words, '--json')
      expect({ status, stdout, stderr: JSON.parse(stderr) }).toEqual({
        status: 1,
        stdout: '',
        stderr: { error: expect.stringContaining('There is no'), code },
      })
    },
    processMs,
  )

  it(
    'that are given in place of their id are not repeated',
    async () => {
      const secret = 'sk_test_abc'
      const { status, stdout, stderr } = await directory.inside('key', 'revoke', secret)
      expect({ status, stdout, isRepeated: stderr.includes(secret) }).toEqual({
        status: 1,
        stdout: '',
        isRepeated: false,
      })
    },
    processMs,
  )

  it.each([
    { text: 'payments', unknown: '"payments"' },
    { text: 'payments:read,', unknown: '""' },
    { text: 'payments:all,money:read,events:read', unknown: '"payments:all", "money:read"' },
  ])(
    'are not made with the scopes "$text": the error lists all that there are',
    async ({ text, unknown }) => {
      const { status, stdout, stderr } = await directory.inside('key', 'create', '--scopes', text, '--json')
      expect({ status, stdout, stderr: JSON.parse(stderr) }).toEqual({
        status: 2,
        stdout: '',
        stderr: { error: `Not a scope: ${unknown}. The scopes are: ${scopes.join(', ')}.`, code: 'usage' },
      })
    },
    processMs,
  )

  it(
    'are not made without a limit when the scopes are empty, nor for another environment',
    async () => {
      const refusals = [
        await directory.run('key', 'create', '--scopes', ''),
        await directory.run('key', 'create', '--environment', 'live'),
      ]
      expect(refusals).toEqual([
        { status: 2, stdout: '', stderr: '--scopes is empty.\nSee: quittance key create --help\n' },
        {
          status: 2,
          stdout: '',
          stderr: '--environment must be testnet or mainnet.\nSee: quittance key create --help\n',
        },
      ])
    },
    processMs,
  )
})
