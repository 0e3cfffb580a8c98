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

  it("adopts a merchant's own operator account once it is made, and goes back to the service's", async () => {
    const { merchant_id } = JSON.parse((await directory.inside('merchant', 'create', '--name', 'Ada', '--json')).stdout)
    const of = ['--merchant', merchant_id]
    expect(await directory.refusal('operator', 'show', ...of)).toEqual([1, 'operator_not_created'])
    expect(await directory.refusal('operator', 'adopt', ...of)).toEqual([1, 'operator_not_funded'])
    const { account } = JSON.parse((await operator('create', ...of, '--json')).stdout)
    expect(account).not.toBe(JSON.parse((await operator('show', '--json')).stdout).account)
    expect(await directory.json('operator', 'adopt', ...of)).toEqual({ merchant_id, operator: account })
    expect(await directory.json('operator', 'adopt', ...of, '--service')).toEqual({ merchant_id, operator: null })
    expect(await directory.refusal('operator', 'create', '--merchant', 'mer_nobody')).toEqual([1, 'merchant_not_found'])
  })

  it('fails to create an operator account on a network that is not configured', async () => {
    const words = ['operator', 'create', '--environment', 'mainnet']
    expect(await directory.refusal(...words)).toEqual([1, 'network_not_configured'])
  })
})
