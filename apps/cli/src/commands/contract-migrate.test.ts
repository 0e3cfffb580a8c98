import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'

const why = ['--reason', 'version 2']

describe('contract list, contract migrate and contract migrations', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = onChosenStore()
    await directory.json('merchant', 'create', '--name', 'Ada')
  })
  afterAll(() => directory.remove())

  it('list the configured contract, and no migration', async () => {
    const configured = { standing: 'configured', living: 0, operators: [] }
    expect(await directory.json('contract', 'list')).toEqual([
      { contract_id: expect.stringMatching(/^C[A-Z2-7]{55}$/), ...configured },
    ])
    expect((await directory.inside('contract', 'list')).stdout).toMatch(
      /^CONTRACT +LIVING +STANDING\nC\S+ +0 +configured\n$/,
    )
    expect(await directory.json('contract', 'migrations')).toEqual([])
    expect(await directory.json('contract', 'migrations', '--subscriptions')).toEqual([])
    expect(await directory.json('contract', 'migrate', '--cancel', ...why)).toBeNull()
  })

  it.each([
    ['where nobody is to be moved', [1, 'nothing_to_migrate'], why],
    ['of an unknown merchant', [1, 'merchant_not_found'], ['--cancel', '--merchant', 'mer_nobody', ...why]],
    ['of a network that is not configured', [1, 'network_not_configured'], ['--environment', 'mainnet', ...why]],
    ['without a reason', [2, 'usage'], []],
  ] as const)('refuse a migration %s', async (_, refusal, words) => {
    expect(await directory.refusal('contract', 'migrate', ...words)).toEqual(refusal)
  })
})
