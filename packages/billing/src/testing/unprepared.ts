import { type AccountId, type AssetId, decimalFromStroops, type Stroops, stroops } from '@quittance/domain'
import type { Friendbot } from '@quittance/ledger'
import { settlementSetUpId } from '@quittance/projections'
import { Operation } from '@stellar/stellar-sdk'
import { channelKey, operatorKey, settlementKey } from '../stores/vault/vault-signer.ts'
import { madeKey } from './made-key.ts'
import { startNetwork, type TestNetwork } from './network.ts'
import { done, present } from './outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from './platform.ts'
import { openShop } from './shop.ts'
import { walletsOn } from './wallets.ts'

/** A network like a real one: it knows assets, and sets no account up. */
const unprepared = (
  network: TestNetwork,
  friendbot: Friendbot | null,
  recoverySigner: AccountId | null,
): TestNetwork => ({
  ...network,
  seen: () => ({ ...network.seen(), provision: null, setUpBalance: stroops(0n), friendbot, recoverySigner }),
})

/** A shop on a network that prepares nothing, with a worker that steps on command, and a stranger with lumens. */
export const openUnprepared = async (
  friendbotOf: (network: TestNetwork) => Friendbot | null = () => null,
  recoverySigner: AccountId | null = null,
) => {
  const started = await startNetwork()
  const network = unprepared(started, friendbotOf(started), recoverySigner)
  const folder = temporaryFolder()
  const platform = await openPlatform(network, folder.path)
  const stranger = await walletsOn(network).bareWallet(9)
  const merchantId = await openShop(platform)
  const { services, worker } = platform
  const account = present(await services.vault.publicKey(settlementKey('testnet', merchantId)))

  const assets = [network.usdc, network.xlm, network.eurc].map(({ assetId }) => assetId)
  const view = (of: AccountId = account) => done(network.gateway.accountView(of, assets))
  const trusted = async (of: AccountId = account): Promise<ReadonlyArray<AssetId>> =>
    ((await view(of))?.trustlines ?? []).map(({ assetId }) => assetId)
  const rowOf = async (id = merchantId) =>
    present(await (await platform.shown()).settlementSetUps.withId(settlementSetUpId(id, 'testnet'))).row
  /** Lets ledgers close, and the worker see each. */
  const pass = async (ledgers = 1, on: TestPlatform = platform, ms = 1_000): Promise<void> => {
    for (let left = ledgers; left > 0; left--) {
      network.wait(ms)
      await done(on.worker.step)
    }
  }
  const setUpIntents = async () =>
    (await (await platform.shown()).intents.all()).filter(({ row }) => row.details.class === 'set_up')
  return {
    network,
    folder,
    platform,
    services,
    worker,
    merchantId,
    scope: { merchantId, environment: 'testnet' as const },
    account,
    stranger,
    view,
    trusted,
    rowOf,
    pass,
    setUpIntents,
    /** The transactions of ours that a ledger holds, by what they are for. */
    transactions: async () => (await (await platform.shown()).ledgerTransactions.all()).map(({ row }) => row),
    /** An account with so many lumens, made by the stranger. */
    create: (of: AccountId, lumens: Stroops): void => {
      const startingBalance = decimalFromStroops(lumens)
      walletsOn(network).act(stranger.secret, [Operation.createAccount({ destination: of, startingBalance })])
    },
    /** More lumens for an account. */
    fund: (of: AccountId, lumens: Stroops): void => {
      stranger.pay({ to: of, asset: network.xlm.assetId, parts: [lumens], memo: null })
    },
    operator: () => madeKey(services.vault, operatorKey('testnet')),
    channel: (number: number) => madeKey(services.vault, channelKey('testnet', number)),
    close: async () => {
      await platform.close()
      await network.close()
      folder.remove()
    },
  }
}

export type Unprepared = Awaited<ReturnType<typeof openUnprepared>>
