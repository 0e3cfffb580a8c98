import { join } from 'node:path'
import { runInside } from '@quittance/cli/testing/run-cli'
import { configFrom } from '@quittance/host'
import { Networks, Operation } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { clientOf } from './client.ts'
import { eventually } from './eventually.ts'
import { startPrivateNetwork } from './private-network.ts'
import { serve } from './serve.ts'
import { temporaryDirectory } from './service.ts'
import type { Wallet } from './wallet.ts'

type Settings = Readonly<Record<string, string>>

const printed = async (settings: Settings, ...words: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = await runInside(settings, ...words, '--json')
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return JSON.parse(stdout)
}

const fund = async (funds: Wallet, address: string, amount: string): Promise<void> => {
  const creation = Operation.createAccount({ destination: address, startingBalance: amount })
  const { status } = await funds.send(await funds.build([creation]))
  if (status !== 'SUCCESS') throw new Error(`${address} got nothing: ${status}`)
}

/** The settlement account adds the assets of the public network, whose issuers this ledger has to hold. */
const issuersOf = (assets: ReadonlyArray<{ readonly asset_id: string }>): ReadonlySet<string> =>
  new Set(assets.flatMap(({ asset_id }) => asset_id.split(':').slice(1)))

/**
 * A service on a ledger of its own that has the passphrase of the public network, where wallets sign that can be told of no
 * other. Its merchant sells for lumens.
 */
export const startPublicShop = async (more: Settings = {}) => {
  const network = await startPrivateNetwork(Networks.PUBLIC)
  const directory = temporaryDirectory()
  const funds = await network.wallet()
  const settings = {
    QUITTANCE_PORT: '0',
    QUITTANCE_LOG_LEVEL: 'silent',
    QUITTANCE_DATA_DIR: join(directory.path, 'data'),
    QUITTANCE_MASTER_KEY: 'ab'.repeat(32),
    QUITTANCE_MAINNET_RPC_URLS: network.url,
    QUITTANCE_SOURCE_SECRET: funds.keypair.secret(),
    QUITTANCE_PAYER_RATE_LIMIT: '100000',
    ...more,
  }
  const cli = (...words: ReadonlyArray<string>) => printed(settings, ...words)
  const { api_key } = await cli('merchant', 'create', '--name', 'Aurora Coffee', '--environment', 'mainnet')
  await cli('settlement', 'declare', '--accounts', funds.address, '--environment', 'mainnet')
  const operator = await cli('operator', 'create', '--environment', 'mainnet')
  const [channel] = await cli('channel', 'create', '--count', '1', '--environment', 'mainnet')
  for (const { account } of [operator, channel]) await fund(funds, account, '100')

  const config = configFrom(settings)
  if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
  const served = await serve(config.right)
  if (E.isLeft(served)) throw new Error(JSON.stringify(served.left))
  const { url, close } = served.right
  const api = clientOf(url, api_key)
  const settlement = async () => (await api('/settlement')).body.data
  const { address, missing, assets } = await settlement()
  await fund(funds, address, missing)
  for (const issuer of issuersOf(assets)) await fund(funds, issuer, '10')
  // In the first two minutes after its start, a service sends nothing on a network that its backups do not hold.
  await network.pass(150)
  await eventually(settlement, ({ is_ready }) => is_ready)

  return {
    url,
    api,
    anyone: clientOf(url, null),
    /** A payer with 10,000 XLM. */
    payer: network.wallet,
    close: async () => {
      await close()
      await network.close()
      directory.remove()
    },
  }
}

export type PublicShop = Awaited<ReturnType<typeof startPublicShop>>
