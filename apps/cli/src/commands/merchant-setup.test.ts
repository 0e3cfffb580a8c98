import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'

describe('merchant setup and merchant assets', () => {
  let directory: TestDirectory
  let assets: ReadonlyArray<{ readonly code: string; readonly assetId: string }>
  beforeAll(async () => {
    directory = onChosenStore()
    await merchant('create', '--name', 'Ada & Co')
    await directory.opened(async ({ sandbox }) => {
      assets = sandbox?.sandbox.assets() ?? []
    })
  })
  afterAll(() => directory.remove())
  const merchant = (...words: ReadonlyArray<string>) => directory.inside('merchant', ...words)
  const idOf = (wanted: string) => assets.find(({ code }) => code === wanted)?.assetId ?? ''
  const shown = async (...words: ReadonlyArray<string>) => JSON.parse((await merchant(...words, '--json')).stdout)

  it('shows a settlement account as GET /settlement does, and as text with the next step', async () => {
    const settlement = await shown('setup')
    expect(settlement).toMatchObject({ object: 'settlement', environment: 'testnet', exists: true, is_ready: true })
    const { status, stdout } = await merchant('setup')
    expect(status).toBe(0)
    expect(stdout).toContain(`address      ${settlement.address}`)
    expect(stdout).toMatch(/^ASSET +TRUSTLINE +BALANCE +DEFAULT$/m)
    expect(stdout.trimEnd().endsWith('Nothing is left to do.')).toBe(true)
    expect(stdout).not.toContain('web+stellar')
  })

  it('changes the accepted assets and the default asset', async () => {
    const chosen = await shown('assets', '--accept', `${idOf('EURC')}, native`, '--default', 'native')
    expect(chosen.assets).toMatchObject([
      { asset_id: idOf('EURC'), is_default: false },
      { asset_id: 'native', is_default: true },
    ])
    expect((await shown('assets', '--default', idOf('EURC'))).assets).toMatchObject([{ is_default: true }, {}])
    expect((await shown('assets')).assets).toHaveLength(2)
  })

  it.each([
    [['assets', '--accept', 'native,'], 2, 'usage'],
    [['assets', '--accept', 'EVIL:GAAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQDZ7H'], 1, 'asset_not_known'],
    [['assets', '--accept', 'native', '--default', 'USDC:G'], 1, 'asset_not_known'],
    [['setup', '--sponsor', '--stop-sponsoring'], 2, 'usage'],
    [['setup', '--environment', 'mainnet'], 1, 'network_not_configured'],
  ])('refuses the merchant command %p', async (words, exit, code) => {
    expect(await directory.refusal('merchant', ...words)).toEqual([exit, code])
  })
})
