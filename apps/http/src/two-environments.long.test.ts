import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Run, runCli } from '@quittance/cli/testing/run-cli'
import { clientOf, problem } from './testing/client.ts'
import { startConfigured } from './testing/configured-process.ts'
import { eventually } from './testing/eventually.ts'
import { privatePassphrase, startPrivateNetwork } from './testing/private-network.ts'
import { temporaryDirectory } from './testing/service.ts'

const yearSeconds = 365 * 24 * 60 * 60
const printed = ({ status, stdout, stderr }: Run) => {
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return JSON.parse(stdout)
}

describe('a service with nodes of a mainnet alone', () => {
  let network: Awaited<ReturnType<typeof startPrivateNetwork>>
  let directory: ReturnType<typeof temporaryDirectory>
  let settings: Readonly<Record<string, string>>
  beforeEach(async () => {
    network = await startPrivateNetwork()
    directory = temporaryDirectory()
    settings = {
      QUITTANCE_DATA_DIR: join(directory.path, 'data'),
      QUITTANCE_MASTER_KEY: 'ab'.repeat(32),
      QUITTANCE_MAINNET_RPC_URLS: network.url,
      QUITTANCE_MAINNET_PASSPHRASE: privatePassphrase,
    }
  })
  afterEach(async () => {
    await network.close()
    directory.remove()
  })
  const cli = (environment: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) =>
    runCli(environment, ...words, '--json')
  const inData = (file: string) => existsSync(join(directory.path, 'data', file))

  it('has no sandbox, unless it is requested by name', async () => {
    const { api_key } = printed(await cli(settings, 'merchant', 'create', '--name', 'A', '--environment', 'mainnet'))
    const service = await startConfigured(settings)
    try {
      const api = clientOf(service.url, api_key)
      const moved = await fetch(`${service.url}/sandbox/advance`, {
        method: 'POST',
        headers: { 'x-api-key': api_key },
      })
      expect(moved.status).toBe(404)
      expect((await api('/product')).status).toBe(200)
      expect([inData('sandbox.json'), inData('sandbox.db')]).toEqual([false, false])
      const testKey = await cli(settings, 'key', 'create', '--environment', 'testnet')
      expect([testKey.status === 0, testKey.stdout]).toEqual([false, ''])
    } finally {
      await service.stop()
    }
  })

  it('keeps real time and its own addresses from the keys of a sandbox beside it', async () => {
    const both = { ...settings, QUITTANCE_SANDBOX: '1' }
    const made = printed(await cli(both, 'merchant', 'create', '--name', 'A', '--environment', 'mainnet'))
    const service = await startConfigured(both)
    try {
      await eventually(
        async () => service.log,
        (log) => log.some((line) => line.includes('REAL MONEY: this service also works on the mainnet')),
      )
      await eventually(async () => inData('sandbox.json'), Boolean)
      const keyOf = async (environment: string) =>
        printed(await cli(both, 'key', 'create', '--merchant', made.merchant_id, '--environment', environment))
      const [test, own] = [await keyOf('testnet'), await keyOf('mainnet')]
      // It ends in two days of real time.
      printed(await cli(both, 'key', 'rotate', own.key_id, '--overlap', '48'))
      const [live, sandbox] = [clientOf(service.url, own.api_key), clientOf(service.url, test.api_key)]
      const hook = { name: 'H', url: 'https://shop.example/hook', events: ['product.created'] }
      expect((await sandbox('/sandbox/advance', { body: { seconds: yearSeconds } })).status).toBe(200)

      const yearsAhead = async (api: typeof live) => {
        const { created_at } = (await api('/webhooks', { body: hook })).body.data
        return Math.round(Math.abs(Date.parse(created_at) - Date.now()) / 1000 / yearSeconds)
      }
      expect([await yearsAhead(sandbox), await yearsAhead(live)]).toEqual([1, 0])

      const loopback = { ...hook, url: 'http://127.0.0.1:9/' }
      expect(await sandbox('/webhooks', { body: loopback })).toMatchObject({
        status: 400,
        body: problem('invalid_request', 'url'),
      })
      const { id } = (await sandbox('/webhooks', { body: { ...hook, url: 'https://127.0.0.1:9/' } })).body.data
      await sandbox(`/webhooks/${id}/test`, { method: 'POST' })
      const { body } = await eventually(
        () => sandbox(`/webhooks/${id}/deliveries`),
        (answer) => answer.body.data.data[0]?.attempts > 0,
      )
      expect(body.data.data).toMatchObject([{ failure: 'address_refused', response_body: null }])
    } finally {
      await service.stop()
    }
  })
})
