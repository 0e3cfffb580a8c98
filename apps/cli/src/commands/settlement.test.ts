import { accountOf } from '@quittance/domain/testing'
import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'

const [one, other] = [accountOf(1), accountOf(2)]

describe('the settlement commands', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = onChosenStore()
    await directory.json('merchant', 'create', '--name', 'Ada')
  })
  afterAll(() => directory.remove())

  it('announces funding, and lists it', async () => {
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

  it('replaces the declared accounts as a whole, and shows them without --accounts', async () => {
    expect(await directory.json('settlement', 'declare', '--accounts', `${one},${other}`)).toEqual([one, other])
    expect(await directory.json('settlement', 'declare')).toEqual([one, other])
    expect(await directory.inside('settlement', 'declare', '--accounts', 'none')).toMatchObject({
      status: 0,
      stdout: 'No account is declared.\n',
    })
  })

  it.each([
    ['an asset without its amount', 1, 'announcement_too_vague', ['expect', '--asset', 'native']],
    ['a malformed account', 2, 'usage', ['expect', '--from', 'GX']],
    ['an amount of zero', 2, 'usage', ['expect', '--amount', '0']],
    ['more than 720 hours', 2, 'usage', ['expect', '--amount', '1', '--for', '721']],
    ['a fraction of an hour', 2, 'usage', ['expect', '--amount', '1', '--for', '0.5']],
    ['an account that is listed twice', 1, 'funding_account_listed_twice', ['declare', '--accounts', `${one},${one}`]],
    ['a list with a malformed account', 2, 'usage', ['declare', '--accounts', `${one},x`]],
  ])('refuses settlement commands with %s', async (_, status, code, words) => {
    expect(await directory.refusal('settlement', ...words)).toEqual([status, code])
  })
})
