import { join } from 'node:path'
import { type Network, quoter } from '@quittance/billing'
import { AcceptedAsset, ContractId, stroops } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import { rpcGateway, sandboxRates } from '@quittance/ledger'
import { listen, openSandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import { decoded } from './results.ts'

/** A Stellar network in this process, with test money. On a real network, the gateway names real nodes instead. */
export const openNetwork = async (directory: string, wallClock: () => number) => {
  const database = openDatabase(join(directory, 'sandbox.db'), { durability: 'full' })
  const sandbox = openSandbox({ database, wallClock })
  const node = await listen(sandbox)
  const dollars = sandbox.assets().find(({ code }) => code === 'USDC')
  const network: Network = {
    gateway: rpcGateway({ url: node.url, networkPassphrase: sandbox.networkPassphrase, timeoutMs: 5_000 }),
    ...quoter(sandboxRates),
    assets: [decoded(AcceptedAsset.decode({ assetId: dollars?.assetId, description: 'US dollars', pegged: true }))],
    mandateContract: decoded(ContractId.decode(sandbox.mandateContract)),
    provision: (secret) => async () => {
      const provisioned = await sandbox.provision(secret)()
      return E.isRight(provisioned)
        ? E.right(undefined)
        : E.left({ _tag: 'ProvisionFailed', reason: provisioned.left.code })
    },
    setUpBalance: stroops(100_000_000_000n),
    isInBackups: true,
    paths: null,
    friendbot: null,
  }
  return {
    sandbox,
    network,
    close: async (): Promise<void> => {
      sandbox.stop()
      await node.close()
      database.close()
    },
  }
}
