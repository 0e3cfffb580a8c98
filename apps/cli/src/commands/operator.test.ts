import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'

describe('operator create and operator show', () => {
  let directory: TestDirectory
  beforeAll(() => {
    directory = onChosenStore()
  })
  afterAll(() => directory.remove())
  const operator = (...words: ReadonlyArray<string>) => directory.inside('operator', ...words)

  it('shows the same operator account each time, once it is created', async () => {
    expect(await directory.refusal('operator', 'show')).toEqual([1, 'operator_not_created'])
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

  it('fails to create an operator account on a network that is not configured', async () => {
    const words = ['operator', 'create', '--environment', 'mainnet']
    expect(await directory.refusal(...words)).toEqual([1, 'network_not_configured'])
  })
})
