import { accountOf } from '@quittance/domain/testing'
import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'

const [one, other] = [accountOf(1), accountOf(2)]

describe('funding at the command line', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = onChosenStore()
    await directory.json('merchant', 'create', '--name', 'Ada')
  })
  afterAll(() => directory.remove())

  it('is announced, and shown in the list', async () => {
    const announced = await directory.json('settlement', 'expect', '--amount', '25', '--for', '2')
    expect(announced).toMatchObject({
      id: expect.stringMatching(/^fnd_/),
      status: 'announced',
      from_address: null,
      asset_id: 'native',
      amount: '25 XLM',
      reason: null,
    })
    expect(await directory.json('settlement', 'funding')).toEqual([announced])
    expect((await directory.inside('settlement', 'expect', '--from', one)).stdout).toMatch(/^funding +fnd_\w+\nexpires/)
  })

  it('is declared as a whole list, which is shown without one', async () => {
    expect(await directory.json('settlement', 'declare', '--accounts', `${one},${other}`)).toEqual([one, other])
    expect(await directory.json('settlement', 'declare')).toEqual([one, other])
    expect(await directory.inside('settlement', 'declare', '--accounts', 'none')).toMatchObject({
      status: 0,
      stdout: 'No account is declared.\n',
    })
  })

  it.each([
    ['an asset without its amount', 1, 'announcement_too_vague', ['expect', '--asset', 'native']],
    ['an account that is none', 2, 'usage', ['expect', '--from', 'GX']],
    ['an amount of nothing', 2, 'usage', ['expect', '--amount', '0']],
    ['more hours than a month has', 2, 'usage', ['expect', '--amount', '1', '--for', '721']],
    ['no whole hours', 2, 'usage', ['expect', '--amount', '1', '--for', '0.5']],
    ['an account twice', 1, 'funding_account_listed_twice', ['declare', '--accounts', `${one},${one}`]],
    ['a list with what is no account', 2, 'usage', ['declare', '--accounts', `${one},x`]],
  ])('is refused with %s', async (_, status, code, words) => {
    const refusal = await directory.inside('settlement', ...words, '--json')
    expect([refusal.status, JSON.parse(refusal.stderr).code]).toEqual([status, code])
  })
})
