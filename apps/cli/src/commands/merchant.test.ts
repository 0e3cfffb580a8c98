import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { onChosenStore } from '../testing/on-chosen-store.ts'
import { printed, processMs, type TestDirectory } from '../testing/run-cli.ts'
import { anyKey, anyMerchantId, merchantIn } from '../testing/shapes.ts'

const defaults = {
  access_grace_days: 0,
  dunning_schedule: [6, 24, 72, 120, 168, 240, 336],
  after_retries: 'overdue',
  underpayment_tolerance: '0',
  rates_after: 'invoice',
  unknown_lumens: null,
}

describe('the merchant commands', () => {
  let directory: TestDirectory
  beforeEach(() => {
    directory = onChosenStore()
  })
  afterEach(() => directory.remove())

  const policyFile = (content: string): string => {
    const path = join(directory.path, 'policy.json')
    writeFileSync(path, content)
    return path
  }

  it(
    'creates a merchant with a settlement account, and a key that works on the testnet',
    async () => {
      const answer = printed(await directory.run('merchant', 'create', '--name', 'Ada & Co', '--json'))
      expect(answer).toEqual({ merchant_id: anyMerchantId, api_key: anyKey('sk_test_') })
      const { merchantId, apiKey } = merchantIn(answer)
      await directory.opened(async ({ billing }) => {
        const principal = await billing.merchants.authenticate(apiKey)()
        expect(O.toNullable(O.flatten(O.fromEither(principal)))).toMatchObject({
          merchantId,
          environment: 'testnet',
          kind: 'secret',
          scopes: [],
        })
        expect(await billing.settlement(merchantId, 'testnet')()).toMatchObject({ _tag: 'Right' })
      })
    },
    processMs,
  )

  it(
    'lists merchants by id and name, as JSON and as text',
    async () => {
      expect(await directory.json('merchant', 'list')).toEqual([])
      const made = await directory.inside('merchant', 'create', '--name', 'Ada')
      expect({ ...made, stdout: made.stdout.split('\n').map((line) => line.split(/\s+/)[0]) }).toEqual({
        status: 0,
        stderr: '',
        stdout: ['merchant_id', 'api_key', '', 'Keep', ''],
      })
      const ada = /mer_\w+/.exec(made.stdout)?.[0]
      const { merchantId: bob } = merchantIn(await directory.json('merchant', 'create', '--name', 'Bob'))
      const listed = await directory.json('merchant', 'list')
      expect(listed).toEqual([
        { merchant_id: ada, name: 'Ada' },
        { merchant_id: bob, name: 'Bob' },
      ])
      expect(await directory.inside('merchant', 'list')).toEqual({
        status: 0,
        stderr: '',
        stdout: `${ada}  Ada\n${bob}  Bob\n`,
      })
    },
    processMs,
  )

  it(
    'sets exactly the fields of a policy file, and keeps the others',
    async () => {
      await directory.json('merchant', 'create', '--name', 'Ada')
      expect(await directory.json('merchant', 'set', '--policy', policyFile('{}'))).toEqual(defaults)
      const part = policyFile('{"access_grace_days": 3, "underpayment_tolerance": "0.0000001"}')
      const changed = { ...defaults, access_grace_days: 3, underpayment_tolerance: '0.0000001' }
      expect(await directory.json('merchant', 'set', '--policy', part)).toEqual(changed)
      const rest = policyFile(
        '{"dunning_schedule": [], "after_retries": "cancel", "rates_after": "pause", "unknown_lumens": "return"}',
      )
      expect(await directory.inside('merchant', 'set', '--policy', rest)).toEqual({
        status: 0,
        stderr: '',
        stdout: `access_grace_days       3
dunning_schedule        none
after_retries           cancel
underpayment_tolerance  0.0000001
rates_after             pause
unknown_lumens          return
`,
      })
    },
    processMs,
  )

  it(
    'sets the policy of one merchant only',
    async () => {
      const { merchantId: ada } = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada'))
      const { merchantId: bob } = merchantIn(await directory.json('merchant', 'create', '--name', 'Bob'))
      const file = policyFile('{"after_retries": "cancel"}')
      const unclear = await directory.inside('merchant', 'set', '--policy', file, '--json')
      expect({ ...unclear, stderr: JSON.parse(unclear.stderr) }).toEqual({
        status: 2,
        stdout: '',
        stderr: { error: 'There are 2 merchants: say which with --merchant <merchant_id>.', code: 'usage' },
      })
      await directory.json('merchant', 'set', '--merchant', ada, '--policy', file)
      expect(await directory.json('merchant', 'set', '--merchant', bob, '--policy', policyFile('{}'))).toEqual(defaults)
    },
    processMs,
  )

  it(
    'refuses a dunning schedule that does not rise, and unknown merchants',
    async () => {
      const file = policyFile('{"dunning_schedule": [24, 6]}')
      const none = await directory.inside('merchant', 'set', '--policy', file, '--json')
      expect({ status: none.status, ...JSON.parse(none.stderr) }).toEqual({
        status: 1,
        code: 'no_merchant',
        error: 'There is no merchant yet. Make one: quittance merchant create --name <name>',
      })
      await directory.json('merchant', 'create', '--name', 'Ada')
      const falling = await directory.inside('merchant', 'set', '--policy', file, '--json')
      expect({ status: falling.status, ...JSON.parse(falling.stderr) }).toEqual({
        status: 1,
        code: 'dunning_schedule_invalid',
        error: 'The hours of dunning_schedule must rise, and end by hour 720.',
      })
      const unknown = await directory.inside('merchant', 'set', '--merchant', 'mer_x', '--policy', file, '--json')
      expect({ status: unknown.status, ...JSON.parse(unknown.stderr) }).toEqual({
        status: 1,
        code: 'merchant_not_found',
        error: 'There is no such merchant. `quittance merchant list` shows them.',
      })
    },
    processMs,
  )

  it.each([
    { rule: 'is missing', content: null, problems: ['it cannot be read'] },
    { rule: 'is not JSON', content: '{', problems: ['it is not JSON'] },
    { rule: 'is not an object', content: '[]', problems: ['it is not a JSON object'] },
    {
      rule: 'has several faults',
      content: '{"grace": 1, "access_grace_days": -1, "underpayment_tolerance": 0.1, "rates_after": "wait"}',
      problems: [
        'grace is unknown (the fields are access_grace_days, dunning_schedule, after_retries, underpayment_tolerance, rates_after, unknown_lumens)',
        'access_grace_days must be whole days, 0 or more',
        'underpayment_tolerance must be a decimal text of asset units with at most 7 fraction digits, such as "0.01"',
        'rates_after must be "charge_at_peg", "invoice" or "pause"',
      ],
    },
  ])(
    'refuses a policy file that $rule, and names every fault',
    async ({ content, problems }) => {
      const file = content === null ? join(directory.path, 'none.json') : policyFile(content)
      const { status, stdout, stderr } = await directory.inside('merchant', 'set', '--policy', file, '--json')
      expect({ status, stdout, stderr: JSON.parse(stderr) }).toEqual({
        status: 2,
        stdout: '',
        stderr: { error: problems.map((problem) => `${file}: ${problem}`).join('\n'), code: 'invalid_policy' },
      })
    },
    processMs,
  )

  it.each(['', '   ', 'x'.repeat(201), 'a\u001b[2Jb'])(
    'refuses the merchant name %j',
    async (name) => {
      const { status, stdout } = await directory.inside('merchant', 'create', '--name', name)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    },
    processMs,
  )
})
