import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { done } from '@quittance/billing/testing/outcomes'
import { clientOf } from '@quittance/http/testing/client'
import { privatePassphrase, startPrivateNetwork } from '@quittance/http/testing/private-network'
import type { Load } from './load.ts'
import { openBenchPlatform } from './platform.ts'

const main = fileURLToPath(new URL('../apps/http/src/main.ts', import.meta.url))

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/**
 * A service of so many processes on a network outside of it, in a folder. Its shop has one product, and one customer, who has
 * bought nothing. Further processes begin to answer a little after the first one.
 */
export const openPrivateShop = async (
  folder: string,
  processes: number,
): Promise<{ readonly access: Load; readonly pid: number; readonly kill: () => Promise<void> }> => {
  const network = await startPrivateNetwork()
  const settings = {
    QUITTANCE_DATA_DIR: folder,
    QUITTANCE_MASTER_KEY: 'ab'.repeat(32),
    QUITTANCE_TESTNET_RPC_URLS: network.url,
    QUITTANCE_TESTNET_PASSPHRASE: privatePassphrase,
  }
  const { billing, newContext, close } = await openBenchPlatform(folder, settings)
  const { secret } = await done(billing.merchants.createKey(newContext(), []))
  await close()
  const port = await freePort()
  const service = spawn(process.execPath, ['--no-warnings', main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...settings,
      QUITTANCE_PORT: String(port),
      QUITTANCE_PROCESSES: String(processes),
      QUITTANCE_LOG_LEVEL: 'error',
    },
  })
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await answers())) await pause(50)
  const api = clientOf(url, secret)
  const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
  const product = (await api('/product', { body: book })).body.data
  const customer = (await api('/customers', { body: { email: 'ada@shop.example', name: 'Ada' } })).body.data
  return {
    access: { url: `${url}/customers/${customer.id}/access/${product.id}`, headers: { 'x-api-key': secret } },
    pid: service.pid ?? 0,
    kill: async () => {
      service.kill('SIGKILL')
      await once(service, 'exit')
      await network.close()
    },
  }
}
