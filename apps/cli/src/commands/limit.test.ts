import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

describe('limit and approval', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = onChosenStore()
    merchantIn(await directory.json('merchant', 'create', '--name', 'Ada'))
  })
  afterAll(() => directory.remove())

  it('sets limits of the operator, and lists them with the raises that are ahead', async () => {
    expect((await directory.inside('limit', 'list')).stdout).toBe('No limit is set.\n')
    const one = { scope: 'merchant', set_by: 'operator', amount: '500', next_amount: null, next_from: null }
    expect(await directory.json('limit', 'set', '--amount', '500')).toMatchObject({ limits: [one], used_24h: '0' })
    expect(await directory.json('limit', 'set', '--amount', 'none')).toMatchObject({
      limits: [{ ...one, next_from: expect.stringMatching(/Z$/) }],
    })
    expect((await directory.inside('limit', 'list')).stdout).toMatch(
      /^OF +SET BY +DOLLARS +THEN +FROM\nmerchant +operator +500 +none +\S+Z\n$/,
    )
    expect(await directory.json('limit', 'set', '--of', 'each_key', '--amount', '99.5')).toMatchObject({
      limits: [{ scope: 'merchant' }, { scope: 'each_key', amount: '99.5', next_from: null }],
    })
  })

  it('refuses malformed amounts, other scopes and unknown keys', async () => {
    const refusal = (...words: ReadonlyArray<string>) => directory.refusal('limit', 'set', ...words)
    for (const amount of ['-1', '1.234', '1e3', '']) expect(await refusal(`--amount=${amount}`)).toEqual([2, 'usage'])
    expect(await refusal('--of', 'me', '--amount', '5')).toEqual([2, 'usage'])
    const nobody = ['--of', 'key_0350octnLi7Ud5KSrjAyiq', '--amount', '5']
    expect(await refusal(...nobody)).toEqual([1, 'limited_key_not_found'])
  })

  it('lists what waits, and refuses to decide what does not exist', async () => {
    expect(await directory.json('approval', 'list')).toEqual([])
    expect((await directory.inside('approval', 'list')).stdout).toBe('Nothing waits for an approval.\n')
    expect(await directory.refusal('approval', 'approve', 'apr_nobody')).toEqual([1, 'approval_not_found'])
    expect(await directory.refusal('approval', 'reject', 'apr_nobody')).toEqual([1, 'approval_not_found'])
  })
})
