import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'

describe('quittance account', () => {
  let directory: TestDirectory
  beforeEach(async () => {
    directory = testDirectory()
    await directory.json('merchant', 'create', '--name', 'Ada')
  })
  afterEach(() => directory.remove())
  const account = (...words: ReadonlyArray<string>) => directory.json('account', ...words)

  it('rotates the key of a settlement account, and prints what the ledger says', async () => {
    const to = expect.stringMatching(/^G/)
    const own = expect.stringMatching(/^G/)
    const [made] = JSON.parse((await directory.inside('account', 'rotate', 'settlement', '--prepare', '--json')).stdout)
    expect(made).toEqual({ account: own, to })
    expect(await account('rotate', 'settlement', '--wait', '0')).toMatchObject([
      { account: made.account, signs: made.account, rotation: { to: made.to, status: 'waiting' }, proven: false },
    ])
    await directory.served()
    expect(await account('show', 'settlement')).toEqual([
      {
        account: made.account,
        as_of: expect.any(Number),
        needed: 1,
        signs: made.to,
        keys: [
          { key: made.account, weight: 0, ours: true },
          { key: made.to, weight: 1, ours: true },
        ],
        rotation: {
          to: made.to,
          status: 'done',
          transaction_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          ledger: expect.any(Number),
          code: null,
        },
        recovery: null,
        proven: true,
      },
    ])
    expect((await directory.inside('account', 'show', 'settlement')).stdout).toContain('no other key has weight')
  })

  it('rotates to a key that is made now with --fresh, and refuses that while a rotation is under way', async () => {
    const [made] = JSON.parse((await directory.inside('account', 'rotate', 'settlement', '--prepare', '--json')).stdout)
    const fresh = ['account', 'rotate', 'settlement', '--fresh', '--wait', '0', '--json']
    const [begun] = JSON.parse((await directory.inside(...fresh)).stdout)
    expect(begun).toMatchObject({ rotation: { status: 'waiting' } })
    expect(begun.rotation.to).not.toBe(made.to)
    expect((await directory.inside(...fresh)).stderr).toContain('rotation_under_way')
    await directory.served()
    expect(await account('show', 'settlement')).toMatchObject([{ signs: begun.rotation.to, proven: true }])
  })

  it('backs up and restores a vault with the new key', async () => {
    await account('rotate', 'settlement', '--wait', '0')
    await directory.served()
    await directory.json('backup', `${directory.path}/copy`)
    expect(await account('show', 'settlement')).toMatchObject([{ proven: true }])
  })

  it.each([
    [
      ['rotate', 'nobody'],
      [2, 'usage'],
    ],
    [
      ['rotate', 'settlement', '--wait', 'x'],
      [2, 'usage'],
    ],
    [
      ['rotate', 'operator', '--environment', 'mainnet'],
      [1, 'network_not_configured'],
    ],
    [
      ['rotate', 'operator'],
      [1, 'account_not_on_ledger'],
    ],
  ])('refuses %j', async (words, refusal) => {
    expect(await directory.refusal('account', ...words)).toEqual(refusal)
  })
})
