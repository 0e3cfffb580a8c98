import { createApp } from '../app.ts'
import type { CatchUp } from '../routes/payments.ts'
import { clientOf } from './client.ts'
import { openOperator } from './operator.ts'
import { temporaryDirectory } from './service.ts'

/**
 * The service where nothing happens by itself: no worker runs, and ledgers close only on command (`sandbox.close`).
 * `catchUp` takes the place of the reading of the ledger that requests ask for.
 */
export const startStillService = async (catchUp?: CatchUp) => {
  const directory = temporaryDirectory()
  const operator = await openOperator(directory.path)
  const { billing, readiness, sandbox, ...platform } = operator.platform
  if (sandbox === null) throw new Error('there is no sandbox')
  const { secret } = await operator.createMerchant('A merchant')
  const { server } = await createApp(billing, {
    logLevel: 'silent',
    payerRateLimit: 100_000,
    catchUp: catchUp ?? platform.catchUp,
    readiness,
    sandbox: null,
  })
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  return {
    api: clientOf(url, secret),
    anyone: clientOf(url, null),
    sandbox: sandbox.sandbox,
    /** Reads what the ledger has closed, and does what is due. */
    read: () => platform.catchUp('testnet'),
    network: {
      rpc_url: sandbox.rpcUrl,
      friendbot_url: sandbox.friendbotUrl,
      network_passphrase: sandbox.sandbox.networkPassphrase,
    },
    close: async () => {
      await server.close()
      await operator.close()
      directory.remove()
    },
  }
}
