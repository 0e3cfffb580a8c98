import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

describe('fee', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = onChosenStore()
    merchantIn(await directory.json('merchant', 'create', '--name', 'Ada'))
  })
  afterAll(() => directory.remove())
  const reason = ['--reason', 'the contract of May']

  it('sets the fee of a merchant, and shows who decided it', async () => {
    expect((await directory.inside('fee', 'show')).stdout).toBe('There is no fee.\n')
    const set = ['fee', 'set', '--basis-points', '150', '--fixed', 'native=0.1', ...reason, '--by', 'Ada']
    const fee = { basis_points: 150, fixed: [{ asset_id: 'native', amount: '0.1' }] }
    expect(await directory.json(...set)).toMatchObject({ platform_fee: fee, decisions: [{ ...fee, by: 'Ada' }] })
    expect(await directory.json('fee', 'set', '--basis-points', '0', '--from', '2999-01', ...reason)).toMatchObject({
      platform_fee: fee,
      next_platform_fee: { basis_points: 0, fixed: [], from: '2999-01-01T00:00:00.000Z' },
    })
    expect((await directory.inside('fee', 'show')).stdout).toMatch(
      /^FROM +BASIS POINTS +FIXED +SET BY +REASON\n\S+Z +150 +0.1 native +Ada +the contract of May\n2999\S+ +0 +none +operator .*\n$/,
    )
  })

  it.each([
    [['--basis-points', '10001']],
    [['--basis-points', '1.5']],
    [['--basis-points', '1', '--fixed', 'native']],
    [['--basis-points', '1', '--fixed', 'native=0']],
    [['--basis-points', '1', '--fixed', 'nothing=1']],
    [['--basis-points', '1', '--from', 'tomorrow']],
  ])('refuses %j', async (words) =>
    expect(await directory.refusal('fee', 'set', ...words, ...reason)).toEqual([2, 'usage']),
  )

  it('refuses a moment that is past', async () =>
    expect(await directory.refusal('fee', 'set', '--basis-points', '1', '--from', '2020-01', ...reason)).toEqual([
      1,
      'platform_fee_backdated',
    ]))
})
