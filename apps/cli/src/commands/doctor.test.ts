import { quittance } from '../quittance.ts'
import { noScreen } from '../screen.ts'
import { onChosenStore } from '../testing/on-chosen-store.ts'
import type { TestDirectory } from '../testing/run-cli.ts'

describe('doctor', () => {
  let directory: TestDirectory
  beforeEach(() => {
    directory = onChosenStore()
  })
  afterEach(() => directory.remove())

  it('doctor finds no problem in a sandbox, which sets up every merchant', async () => {
    await directory.json('merchant', 'create', '--name', 'Ada')
    expect(await directory.json('doctor')).toEqual({ ok: true, errors: 0, warnings: 0, findings: [] })
    expect(await directory.inside('doctor')).toEqual({
      status: 0,
      stdout: 'Nothing prevents a sale.\n0 errors, 0 warnings\n',
      stderr: '',
    })
  })

  it('doctor names a node that does not answer and the remedy, with exit status 1', async () => {
    const settings = {
      QUITTANCE_DATA_DIR: directory.path,
      QUITTANCE_TESTNET_RPC_URLS: 'http://127.0.0.1:9',
      QUITTANCE_MASTER_KEY: 'a'.repeat(64),
    }
    const { status, stdout, stderr } = await quittance(['doctor', '--json'], settings, noScreen)
    expect({ status, stderr, found: JSON.parse(stdout) }).toEqual({
      status: 1,
      stderr: '',
      found: {
        ok: false,
        errors: 1,
        warnings: 0,
        findings: [
          {
            environment: 'testnet',
            code: 'node_unreachable',
            level: 'error',
            subject: null,
            message: expect.stringMatching(/^No node of testnet answers: ./),
            remedy: 'Check that the nodes of QUITTANCE_TESTNET_RPC_URLS run and can be reached from this machine.',
          },
        ],
      },
    })
    const { stdout: shown } = await quittance(['doctor'], settings, noScreen)
    expect(shown).toMatch(/^error {4}testnet {2}No node[^\n]+\n {9}Check[^\n]+\n1 error, 0 warnings\n$/)
  })
})
