import { setImmediate as nextTurn } from 'node:timers/promises'
import { scopes } from '@quittance/billing/scopes'
import * as O from 'fp-ts/lib/Option.js'
import { onChosenStore } from '../testing/on-chosen-store.ts'
import { printed, processMs, type TestDirectory } from '../testing/run-cli.ts'
import { anyKey, anyKeyId, anyTime, keyIn, keysIn, merchantIn } from '../testing/shapes.ts'

describe('the key commands', () => {
  let directory: TestDirectory
  beforeEach(() => {
    directory = onChosenStore()
  })
  afterEach(() => directory.remove())

  const create = async (name: string) => merchantIn(await directory.json('merchant', 'create', '--name', name))
  /** The principals that the service sees in these keys; null for a refused key. */
  const bearers = (...keys: ReadonlyArray<string>) =>
    directory.opened(async ({ billing }) => {
      const found = await Promise.all(
        keys.map(async (key) => O.toNullable(O.flatten(O.fromEither(await billing.merchants.authenticate(key)())))),
      )
      await nextTurn() // which records their use
      return found
    })

  it(
    'creates a key that works until it is revoked, and keeps other keys valid',
    async () => {
      const { merchantId, apiKey: first } = await create('Ada')
      const made = printed(await directory.run('key', 'create', '--json'))
      expect(made).toEqual({ key_id: anyKeyId, api_key: anyKey('sk_test_') })
      const { keyId, apiKey: second } = keyIn(made)
      const bearer = { merchantId, environment: 'testnet', kind: 'secret', scopes: [], keyId: anyKeyId }
      expect(await bearers(first, second)).toEqual([bearer, { ...bearer, keyId }])

      const revoked = await directory.json('key', 'revoke', keyId)
      expect(revoked).toEqual({
        key_id: keyId,
        merchant_id: merchantId,
        environment: 'testnet',
        prefix: 'sk_test_',
        last_four: second.slice(-4),
        scopes: [],
        created_at: anyTime,
        last_used_at: anyTime,
        valid_until: null,
        revoked_at: anyTime,
      })
      expect(await directory.json('key', 'revoke', keyId)).toEqual(revoked)
      expect(await bearers(first, second)).toEqual([bearer, null])
    },
    processMs,
  )

  it(
    'revokes a key at once, even for a process that has just accepted it',
    async () => {
      const { merchantId, apiKey } = await create('Ada')
      const [key] = keysIn(await directory.json('key', 'list'))
      await directory.opened(async ({ billing }) => {
        const bearer = async () =>
          O.toNullable(O.flatten(O.fromEither(await billing.merchants.authenticate(apiKey)())))?.merchantId ?? null
        expect([await bearer(), await bearer()]).toEqual([merchantId, merchantId])
        await directory.run('key', 'revoke', key?.keyId ?? '')
        expect(await bearer()).toBeNull()
      })
    },
    processMs,
  )

  it(
    'replaces a key, which stays valid for the hours of the overlap',
    async () => {
      const { merchantId, apiKey: old } = await create('Ada')
      const [before] = keysIn(await directory.json('key', 'list'))
      const oldId = before?.keyId ?? ''
      const rotated = await directory.json('key', 'rotate', oldId, '--overlap', '48')
      const { keyId, apiKey } = keyIn(rotated)
      const [ending, fresh] = keysIn(await directory.json('key', 'list'))
      const validUntil = new Date(Date.parse(fresh?.createdAt ?? '') + 48 * 60 * 60 * 1000).toISOString()
      expect(rotated).toEqual({
        key_id: anyKeyId,
        api_key: anyKey('sk_test_'),
        old_key_id: oldId,
        old_valid_until: validUntil,
      })
      expect([ending?.shown, fresh?.shown]).toMatchObject([
        { key_id: oldId, valid_until: validUntil, revoked_at: null },
        { key_id: keyId, valid_until: null, revoked_at: null },
      ])
      const bearer = { merchantId, environment: 'testnet', kind: 'secret', scopes: [] }
      expect(await bearers(old, apiKey)).toEqual([
        { ...bearer, keyId: oldId },
        { ...bearer, keyId },
      ])

      const again = await directory.inside('key', 'rotate', oldId, '--json')
      expect({ status: again.status, stderr: JSON.parse(again.stderr) }).toEqual({
        status: 1,
        stderr: { error: expect.stringContaining(keyId), code: 'api_key_is_replaced' },
      })
    },
    processMs,
  )

  it.each(['721', '1.5', '-1', 'a day'])(
    'refuses an overlap of "%s"',
    async (hours) => {
      const { status, stderr } = await directory.inside('key', 'rotate', 'key_x', `--overlap=${hours}`)
      expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('0 to 720') })
    },
    processMs,
  )

  it(
    'creates keys for configured environments only, with each scope once and in order',
    async () => {
      const { merchantId } = await create('Ada')
      const live = ['key', 'create', '--environment', 'mainnet']
      expect(await directory.refusal(...live)).toEqual([1, 'network_not_configured'])
      const restricted = ['--scopes', 'access:read, payments:read,access:read']
      const app = keyIn(await directory.json('key', 'create', ...restricted))
      expect(app.apiKey).toEqual(anyKey('app_test_'))
      expect(await bearers(app.apiKey)).toEqual([
        { merchantId, environment: 'testnet', keyId: app.keyId, kind: 'app', scopes: ['payments:read', 'access:read'] },
      ])
    },
    processMs,
  )

  it(
    'lists the keys of all merchants or of one, without secrets',
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
        last_used_at: null,
        valid_until: null,
        revoked_at: null,
      })
      expect(await directory.json('key', 'list')).toEqual([listed(ada), listed(bob)])
      expect(await directory.json('key', 'list', '--merchant', bob.merchantId)).toEqual([listed(bob)])

      const { stdout } = await directory.inside('key', 'list')
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
    'requires --merchant where there are two merchants',
    async () => {
      const ada = await create('Ada')
      const bob = await create('Bob')
      const unclear = await directory.inside('key', 'create')
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
    { words: ['create'], code: 'no_merchant', rule: 'refuses to create a key without a merchant' },
    {
      words: ['create', '--merchant', 'mer_x'],
      code: 'merchant_not_found',
      rule: 'refuses to create a key for an unknown merchant',
    },
    {
      words: ['list', '--merchant', 'mer_x'],
      code: 'merchant_not_found',
      rule: 'refuses to list the keys of an unknown merchant',
    },
    {
      words: ['revoke', `key_${'0'.repeat(22)}`],
      code: 'api_key_not_found',
      rule: 'refuses to revoke an unknown key',
    },
    {
      words: ['rotate', `key_${'0'.repeat(22)}`],
      code: 'api_key_not_found',
      rule: 'refuses to replace an unknown key',
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
    'never repeats a secret that is given in place of an id',
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
    'refuses the scopes "$text", and lists the valid ones',
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
    'refuses empty scopes and an unknown environment',
    async () => {
      const refusals = [
        await directory.inside('key', 'create', '--scopes', ''),
        await directory.inside('key', 'create', '--environment', 'live'),
      ]
      expect(refusals).toEqual([
        {
          status: 2,
          stdout: '',
          stderr: "option '--scopes <scopes>' argument missing\nSee: quittance key create --help\n",
        },
        {
          status: 2,
          stdout: '',
          stderr: `option '--environment <environment>' argument 'live' is invalid. Allowed choices are testnet, mainnet.
See: quittance key create --help
`,
        },
      ])
    },
    processMs,
  )
})
