import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'

describe('channel create', () => {
  let directory: TestDirectory
  beforeAll(() => {
    directory = onChosenStore()
  })
  afterAll(() => directory.remove())
  const create = (...words: ReadonlyArray<string>) => directory.inside('channel', 'create', ...words)
  const made = async (count: number): Promise<ReadonlyArray<{ account: string; balance: string | null }>> =>
    JSON.parse((await create('--count', String(count), '--json')).stdout)

  it('shows the same channel accounts each time, with their balances', async () => {
    const [first, ...none] = await made(1)
    expect(none).toEqual([])
    expect(await made(2)).toEqual([first, { account: expect.stringMatching(/^G[A-Z2-7]{55}$/), balance: null }])
    expect(await made(1)).toEqual([first])
    await directory.opened(async ({ sandbox }) => {
      await sandbox?.sandbox.fund({ address: first?.account ?? '' })()
    })
    expect(await made(1)).toEqual([{ ...first, balance: '10000' }])
    expect(await create('--count', '2')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ACCOUNT +LUMENS\nG\S+ +10000\nG\S+ +not on the ledger\n$/),
    })
  })

  it.each([['0'], ['101'], ['-1'], ['2.5'], ['many']])('refuses channel create --count %s', async (count) => {
    expect(await directory.refusal('channel', 'create', '--count', count)).toEqual([2, 'usage'])
  })

  it('fails to create channels on a network that is not configured', async () => {
    const words = ['channel', 'create', '--count', '1', '--environment', 'mainnet']
    expect(await directory.refusal(...words)).toEqual([1, 'network_not_configured'])
  })
})
