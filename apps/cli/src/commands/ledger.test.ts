import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'

describe('ledger compare and ledger resume', () => {
  let directory: TestDirectory
  beforeAll(() => {
    directory = onChosenStore()
  })
  afterAll(() => directory.remove())
  const ledger = (...words: ReadonlyArray<string>) => directory.inside('ledger', ...words)
  const because = ['--reason', 'a test']
  const refusal = (...words: ReadonlyArray<string>) => directory.refusal('ledger', ...words)

  it.each([
    [['--from', '0', ...because]],
    [['--from', '1', ...because]],
    [['--from', '1e3', ...because]],
    [['--from', '4294967296', ...because]],
    [['--from', '7']],
    [['--from', '7', '--reason', ' ']],
    [['--from', '7', '--reason', 'x'.repeat(501)]],
    [['--from', '7', ...because, '--by', 'a\nb']],
    [['--from', '7', ...because, '--environment', 'live']],
  ])('rejects a missing or malformed value: ledger resume %j', async (words) => {
    expect(await refusal('resume', ...words)).toEqual([2, 'usage'])
  })

  it('refuses to compare or resume before any ledger is ingested, and on a network that is not configured', async () => {
    expect(await refusal('compare')).toEqual([1, 'following_not_begun'])
    expect(await refusal('resume', '--from', '7', ...because)).toEqual([1, 'following_not_begun'])
    expect(await refusal('compare', '--environment', 'mainnet')).toEqual([1, 'network_not_configured'])
  })

  it('lists the balances that differ, and resumes only a halted ingestion unless forced', async () => {
    await directory.json('merchant', 'create', '--name', 'Ada')
    const equal = '3 balances compared, 0 differing.\n'
    expect(await ledger('compare')).toEqual({ status: 0, stdout: equal, stderr: '' })
    const account = await directory.opened(async ({ billing, sandbox }) => {
      const compared = await billing.following.compare('testnet')()
      if (compared._tag === 'Left' || sandbox === null) throw new Error('there is no sandbox')
      const [first] = compared.right.balances
      const usdc = sandbox.sandbox.assets().find(({ code }) => code === 'USDC')?.assetId ?? ''
      await sandbox.sandbox.fund({ address: first?.account ?? '', assetId: usdc })()
      return { address: first?.account, usdc, next: sandbox.sandbox.clock().ledger + 1 }
    })
    const differing = `1 differing.
ACCOUNT${' '.repeat(51)}ASSET${' '.repeat(58)}BOOKS  LEDGER  DIFFERENCE
${account.address}  ${account.usdc}  0      10000   10000
`
    expect(await ledger('compare')).toEqual({
      status: 1,
      stdout: `3 balances compared, ${differing}1 ledger still to be ingested: payments there show as differences until then.\n`,
      stderr: '',
    })
    const from = ['resume', '--from', String(account.next), ...because]
    expect(await refusal(...from)).toEqual([1, 'following_not_halted'])
    expect(await ledger(...from, '--force')).toEqual({
      status: 1,
      stdout: `Ingestion of the testnet goes on from ledger ${account.next}; 1 ledger skipped.\n3 balances compared, ${differing}`,
      stderr: '',
    })
  })
})
