import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AssetId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase } from '@quittance/event-store/sqlite'
import { keyPairFromSeed, tokenContractOf } from '@quittance/ledger'
import { listen, openSandbox, type Sandbox } from '@quittance/sandbox'
import { quittance } from '../quittance.ts'
import { printed, processMs, type Run, runCli } from '../testing/run-cli.ts'

const wasmHash = createHash('sha256')
  .update(readFileSync(new URL('../../../../contracts/mandate/quittance_mandate.wasm', import.meta.url)))
  .digest('hex')
const { secret, accountId } = keyPairFromSeed(new Uint8Array(32).fill(77))

describe('a mandate contract', () => {
  let sandbox: Sandbox
  let settings: Readonly<Record<string, string>>
  let close: () => Promise<void>
  beforeAll(async () => {
    const database = openDatabase(':memory:', { durability: 'full' })
    sandbox = openSandbox({ database, wallClock: Date.now, passphrase: 'Test SDF Network ; September 2015' })
    const node = await listen(sandbox)
    close = node.close
    settings = { QUITTANCE_TESTNET_RPC_URLS: node.url, QUITTANCE_SOURCE_SECRET: secret }
    sandbox.start()
  })
  afterAll(async () => {
    sandbox.stop()
    await close()
  })
  const contract = (...words: ReadonlyArray<string>) => runCli(settings, 'contract', ...words, '--json')
  const codeOf = async (run: Promise<Run>) => {
    const { status, stdout, stderr } = await run
    return [status, stdout, JSON.parse(stderr).code]
  }
  /** Runs a command with a text on its stdin. */
  const fed = (input: string, ...words: ReadonlyArray<string>): Promise<Run> =>
    new Promise((resolve) => {
      const main = fileURLToPath(new URL('../main.ts', import.meta.url))
      const env = { QUITTANCE_TESTNET_RPC_URLS: settings.QUITTANCE_TESTNET_RPC_URLS }
      const child = execFile(process.execPath, [main, 'contract', ...words, '--json'], { env }, (_, stdout, stderr) =>
        resolve({ status: child.exitCode ?? -1, stdout, stderr }),
      )
      child.stdin?.end(input)
    })

  it(
    'is put on a network by an account that pays, once, and then runs what comes with this version',
    async () => {
      expect(await codeOf(contract('deploy', '--source', 'env'))).toEqual([1, '', 'no_such_account'])
      await sandbox.provision(secret)()
      expect(await codeOf(contract('deploy', '--source', 'env', '--fee-limit', '0.001'))).toEqual([1, '', 'too_dear'])
      const first = printed(await contract('deploy', '--source', 'env', '--fee-limit', '1000'))
      expect(first).toEqual({
        contract_id: expect.stringMatching(/^C[A-Z2-7]{55}$/),
        wasm_hash: wasmHash,
        ledgers: { upload: null, create: expect.any(Number), extend: expect.any(Number) },
      })
      const again = await fed(`${secret}\n`, 'deploy', '--source', 'stdin')
      expect(printed(again)).toEqual({ ...Object(first), ledgers: { upload: null, create: null, extend: null } })
      const { contract_id } = JSON.parse(again.stdout)
      expect(printed(await contract('verify', '--contract', contract_id))).toMatchObject({
        contract_id,
        wasm_hash: wasmHash,
        expected_wasm_hash: wasmHash,
        equal: true,
      })
    },
    2 * processMs,
  )

  it('is looked for on no other network than the one configured', async () => {
    const { status, stdout, stderr } = await quittance(
      ['contract', 'verify', '--contract', tokenContractOf(decoded(AssetId, 'native'), 'any'), '--json'],
      { ...settings, QUITTANCE_TESTNET_PASSPHRASE: 'Our Network' },
      { isTerminal: false, showsAnswer: false, write: () => {} },
    )
    const { host } = new URL(settings.QUITTANCE_TESTNET_RPC_URLS ?? '')
    expect([status, stdout, JSON.parse(stderr)]).toEqual([
      2,
      '',
      {
        code: 'invalid_configuration',
        error: `QUITTANCE_TESTNET_RPC_URLS must be nodes of the network "Our Network" (QUITTANCE_TESTNET_PASSPHRASE); ${host} is of "Test SDF Network ; September 2015"`,
      },
    ])
  })

  it(
    'is told from one that runs something else, or is not there',
    async () => {
      const { assetId = '' } = sandbox.assets().find(({ code }) => code === 'USDC') ?? {}
      const token = tokenContractOf(decoded(AssetId, assetId), sandbox.networkPassphrase)
      const other = await contract('verify', '--contract', token)
      expect([other.status, JSON.parse(other.stdout)]).toMatchObject([1, { wasm_hash: null, equal: false }])
      const nowhere = 'CBKMUZNFQIAL775XBB2W2GP5CNHBM5YGH6C3XB7AY6SUVO2IBU3VYK2V'
      expect(await codeOf(contract('verify', '--contract', nowhere))).toEqual([1, '', 'no_such_contract'])
    },
    processMs,
  )

  it.each([
    ['a secret on the line', ['deploy', '--source', secret]],
    ['no place of a secret', ['deploy']],
    ['a year', ['deploy', '--source', 'env', '--days', '365']],
    ['no amount', ['deploy', '--source', 'env', '--fee-limit', 'all']],
    ['an account', ['verify', '--contract', accountId]],
  ])(
    'is nothing that takes %s',
    async (_, words) => {
      const run = await contract(...words)
      expect([run.status, JSON.parse(run.stderr).code]).toEqual([2, 'usage'])
      expect(run.stderr).not.toContain(secret)
    },
    processMs,
  )

  it(
    'needs a secret where it is said to be, and a network',
    async () => {
      expect(await codeOf(fed('', 'deploy', '--source', 'stdin'))).toEqual([2, '', 'usage'])
      const mainnet = contract('deploy', '--source', 'env', '--environment', 'mainnet')
      expect(await codeOf(mainnet)).toEqual([1, '', 'network_not_configured'])
    },
    processMs,
  )
})
