import type { CatchUp } from '@quittance/host'
import { clientOf } from './client.ts'
import { openOperator } from './operator.ts'
import { quietApp } from './quiet-app.ts'
import { temporaryDirectory } from './service.ts'

/**
 * The service without background work: ledgers close only on command (`sandbox.close`). `catchUp` replaces the reading
 * of the ledger that requests cause.
 */
export const startStillService = async (catchUp?: CatchUp) => {
  const directory = temporaryDirectory()
  const operator = await openOperator(directory.path)
  const { platform } = operator
  const { sandbox } = platform
  if (sandbox === null) throw new Error('there is no sandbox')
  const { secret } = await operator.createMerchant('A merchant')
  const { server } = await quietApp({ ...platform, catchUp: catchUp ?? platform.catchUp })
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  return {
    api: clientOf(url, secret),
    anyone: clientOf(url, null),
    sandbox: sandbox.sandbox,
    /** Ingests closed ledgers and works off what is due. */
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
