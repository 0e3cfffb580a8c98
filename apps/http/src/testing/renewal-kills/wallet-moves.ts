import { right } from '@quittance/billing/testing/outcomes'
import { AccountId, AssetId, ContractId, decimalFromStroops, MandateId, stroops, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { cancelCall, prepareCall, rpcGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Stage } from '../kills/stage.ts'
import type { Wallet } from '../wallet.ts'
import { usdcOn } from './joining.ts'

/** What people do with their wallets without the service. */
export const walletMovesOn = (stage: Stage) => {
  const { sandbox, facts } = stage.network
  const { rpc_url: url, network_passphrase: networkPassphrase } = facts
  const gateway = rpcGateway({ url, networkPassphrase, timeoutMs: 60_000 })
  const usdc = usdcOn(stage)
  const viewOf = async ({ address }: Wallet) =>
    right(await gateway.accountView(decoded(AccountId, address), [decoded(AssetId, usdc)])())
  return {
    /** Sends all of the charged asset of a wallet to another one. */
    empty: async (wallet: Wallet, destination: string): Promise<void> => {
      const [line] = (await viewOf(wallet))?.trustlines ?? []
      if (line === undefined || line.spendable === 0n) return
      await wallet.pay({ destination, assetId: usdc, amount: decimalFromStroops(line.spendable), memo: null })
    },
    fill: (wallet: Wallet): Promise<void> => wallet.friendbot(usdc),
    /** Ends a wallet's mandate (hex) in the contract. */
    revoke: async (wallet: Wallet, mandateId: string): Promise<void> => {
      const [caller, contract] = [decoded(AccountId, wallet.address), decoded(ContractId, sandbox.mandateContract)]
      const view = await viewOf(wallet)
      const order = {
        sourceAccount: caller,
        nextAccountSequence: (view?.accountSequence ?? 0n) + 1n,
        ledgerClosedAt: unixMs(sandbox.read.range().latest.closeTime * 1_000),
        lifetimeMs: 300_000,
        notAfter: null,
        fee: stroops(1_000n),
        networkPassphrase,
      }
      const call = cancelCall(contract, caller, decoded(MandateId, mandateId))
      const prepared = await prepareCall(gateway)(order, call)()
      // It has ended already, or the previous transaction is under way.
      if (E.isLeft(prepared)) return
      sandbox.submit(wallet.sign(prepared.right.envelopeXdr))
    },
  }
}
