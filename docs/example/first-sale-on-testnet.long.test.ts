import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@quittance/event-store/sqlite'
import { listen, openSandbox } from '@quittance/sandbox'

const example = fileURLToPath(new URL('./run.ts', import.meta.url))

const run = (
  settings: Readonly<Record<string, string>>,
  ...words: ReadonlyArray<string>
): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...settings }
    const child = execFile(process.execPath, ['--no-warnings', example, ...words], { env }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    )
  })

describe('the example on a test network', () => {
  it('leads from an empty directory to a confirmed payment, with lumens of a friendbot alone', async () => {
    const database = openDatabase(':memory:', { durability: 'full' })
    const passphrase = 'A Test Network ; November 2026'
    const sandbox = openSandbox({ database, wallClock: Date.now, passphrase })
    const node = await listen(sandbox)
    sandbox.start()
    const settings = {
      QUITTANCE_TESTNET_RPC_URLS: node.url,
      QUITTANCE_TESTNET_PASSPHRASE: passphrase,
      QUITTANCE_TESTNET_FRIENDBOT_URL: `${node.url}/friendbot`,
    }
    const { status, stdout, stderr } = await run(settings, '--network', 'testnet')
    sandbox.stop()
    await node.close()
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(/^payment +(\{.*)/ms.exec(stdout)?.[1] ?? 'null')).toMatchObject({
      object: 'payment',
      status: 'confirmed',
      amount: '5 XLM',
    })
  })

  it('says what to do when no node answers', async () => {
    const { status, stdout, stderr } = await run(
      { QUITTANCE_TESTNET_RPC_URLS: 'http://127.0.0.1:1' },
      '--network',
      'testnet',
    )
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /^No test network answers at http:\/\/127\.0\.0\.1:1: .*\n.*\nnpm start, and npm run example/,
    )
  })

  it('refuses unknown networks', async () => {
    const { status, stderr } = await run({}, '--network', 'moonnet')
    expect({ status, stderr }).toEqual({ status: 2, stderr: '--network takes sandbox or testnet, not moonnet.\n' })
  })
})
