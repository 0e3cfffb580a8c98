import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'

describe('the operator account at the command line', () => {
  let directory: TestDirectory
  beforeAll(() => {
    directory = onChosenStore()
  })
  afterAll(() => directory.remove())
  const operator = (...words: ReadonlyArray<string>) => directory.inside('operator', ...words)

  it('is shown once it was made, the same one however often it is asked for', async () => {
    const none = await operator('show', '--json')
    expect([none.status, JSON.parse(none.stderr).code]).toEqual([1, 'operator_not_created'])
    const made = JSON.parse((await operator('create', '--json')).stdout)
    expect(made).toEqual({ account: expect.stringMatching(/^G[A-Z2-7]{55}$/), balance: null })
    expect(JSON.parse((await operator('create', '--json')).stdout)).toEqual(made)
    await directory.opened(async ({ sandbox }) => {
      await sandbox?.sandbox.fund({ address: made.account })()
    })
    expect(JSON.parse((await operator('show', '--json')).stdout)).toEqual({ ...made, balance: '10000' })
    expect(await operator('show')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ACCOUNT +LUMENS\nG\S+ +10000\n$/),
    })
  })

  it('says where no network is configured', async () => {
    const { status, stderr } = await operator('create', '--environment', 'mainnet', '--json')
    expect([status, JSON.parse(stderr).code]).toEqual([1, 'network_not_configured'])
  })
})
