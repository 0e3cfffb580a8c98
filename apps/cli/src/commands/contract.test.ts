import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AssetId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase } from '@quittance/event-store/sqlite'
import { contractMadeBy, keyPairFromSeed, tokenContractOf } from '@quittance/ledger'
import { listen, openSandbox, type Sandbox } from '@quittance/sandbox'
import { printed, processMs, type Run, refusalOf, runInside } from '../testing/run-cli.ts'

const wasm = readFileSync(new URL('../../../../contracts/mandate/quittance_mandate.wasm', import.meta.url))
const wasmHash = createHash('sha256').update(wasm).digest('hex')
const { secret, accountId } = keyPairFromSeed(new Uint8Array(32).fill(77))

describe('contract deploy and contract verify', () => {
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
  const contract = (...words: ReadonlyArray<string>) => runInside(settings, 'contract', ...words, '--json')
  const refusal = async (run: Promise<Run>) => {
    const ended = await run
    return [...refusalOf(ended), ended.stdout]
  }
  /** Runs a command with text on its stdin. */
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
    'deploys the contract once, and verifies that it runs the code of this version',
    async () => {
      expect(await refusal(contract('deploy', '--source', 'env'))).toEqual([1, 'no_such_account', ''])
      await sandbox.provision(secret)()
      expect(await refusal(contract('deploy', '--source', 'env', '--fee-limit', '0.001'))).toEqual([1, 'too_dear', ''])
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

  it(
    'shows the contract that the operator account makes of the code of this version, and what to set',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'quittance-contract-'))
      const own = {
        QUITTANCE_TESTNET_RPC_URLS: settings.QUITTANCE_TESTNET_RPC_URLS ?? '',
        QUITTANCE_DATA_DIR: folder,
        QUITTANCE_MASTER_KEY: 'a'.repeat(64),
      }
      expect(await refusal(runInside(own, 'contract', 'id', '--json'))).toEqual([1, 'operator_not_created', ''])
      const { account } = Object(printed(await runInside(own, 'operator', 'create', '--json')))
      const shown = Object(printed(await runInside(own, 'contract', 'id', '--json')))
      expect(shown).toEqual({
        environment: 'testnet',
        contract_id: contractMadeBy(account, { wasm, sha256: wasmHash }, sandbox.networkPassphrase),
        operator: account,
        wasm_hash: wasmHash,
        configured: null,
      })
      const said = await runInside(own, 'contract', 'id')
      expect(said.stdout).toContain(`Set QUITTANCE_MANDATE_CONTRACT_TESTNET to ${shown.contract_id} `)
      const named = { ...own, QUITTANCE_MANDATE_CONTRACT_TESTNET: shown.contract_id }
      const again = await runInside(named, 'contract', 'id')
      expect(again.stdout).toContain(`The worker makes the mandate contract ${shown.contract_id} `)
      rmSync(folder, { recursive: true })
    },
    4 * processMs,
  )

  it('refuses a node of another network than the configured one', async () => {
    const elsewhere = { ...settings, QUITTANCE_TESTNET_PASSPHRASE: 'Our Network' }
    const token = tokenContractOf(decoded(AssetId, 'native'), 'any')
    const { status, stdout, stderr } = await runInside(elsewhere, 'contract', 'verify', '--contract', token, '--json')
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
    'distinguishes the contract from another one and from a missing one',
    async () => {
      const { assetId = '' } = sandbox.assets().find(({ code }) => code === 'USDC') ?? {}
      const token = tokenContractOf(decoded(AssetId, assetId), sandbox.networkPassphrase)
      const other = await contract('verify', '--contract', token)
      expect([other.status, JSON.parse(other.stdout)]).toMatchObject([1, { wasm_hash: null, equal: false }])
      const nowhere = 'CBKMUZNFQIAL775XBB2W2GP5CNHBM5YGH6C3XB7AY6SUVO2IBU3VYK2V'
      expect(await refusal(contract('verify', '--contract', nowhere))).toEqual([1, 'no_such_contract', ''])
    },
    processMs,
  )

  it.each([
    ['a secret on the line', ['deploy', '--source', secret]],
    ['a missing source of the secret', ['deploy']],
    ['a life of a year', ['deploy', '--source', 'env', '--days', '365']],
    ['a malformed fee limit', ['deploy', '--source', 'env', '--fee-limit', 'all']],
    ['an account in place of a contract', ['verify', '--contract', accountId]],
  ])(
    'refuses contract commands with %s, and repeats no secret',
    async (_, words) => {
      const run = await contract(...words)
      expect(refusalOf(run)).toEqual([2, 'usage'])
      expect(run.stderr).not.toContain(secret)
    },
    processMs,
  )

  it(
    'requires the secret at its named source, and a configured network',
    async () => {
      expect(await refusal(fed('', 'deploy', '--source', 'stdin'))).toEqual([2, 'usage', ''])
      const mainnet = contract('deploy', '--source', 'env', '--environment', 'mainnet')
      expect(await refusal(mainnet)).toEqual([1, 'network_not_configured', ''])
    },
    processMs,
  )
})
