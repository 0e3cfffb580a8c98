import { AccountId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { Keypair, Operation } from '@stellar/stellar-sdk'
import { done, present } from '../../testing/outcomes.ts'
import type { StoreFront } from '../../testing/store-front.ts'
import { type KeyStage, testnet } from './key-stage.ts'

/** The recovery key of an operator, for the settlement account on a stage. */
export const recoveryKeyOn = (stage: KeyStage) => {
  const recovery = Keypair.random()
  const signer = decoded(AccountId, recovery.publicKey())
  const set = (isProtected: boolean, key = signer) =>
    stage.front.billing.accountRecovery.set(testnet, stage.settlement(), { signer: key, isProtected })
  const show = async () => present((await stage.show())[0])
  const fund = (lumens = '3') =>
    stage.front.wallets.act(stage.front.payer.secret, [
      Operation.createAccount({ destination: signer, startingBalance: lumens }),
    ])
  const thief = async () => Keypair.fromSecret(await stage.front.seedOf(stage.front.merchantId))
  return {
    recovery,
    signer,
    set,
    /** The keys of the account. */
    show,
    fund,
    isSet: async (isProtected: boolean) => {
      if (isProtected) fund()
      await done(set(isProtected))
      await stage.pass()
      return show()
    },
    thief,
    /** What the node answers to a transaction of the settlement account that the stolen key has signed. */
    stealing: async (operation: Parameters<StoreFront['wallets']['signedBy']>[1][number]) =>
      stage.front.network.gateway.submit(stage.front.wallets.signedBy(await thief(), [operation]))(),
    removal: () =>
      Operation.setOptions({ source: stage.front.account, signer: { ed25519PublicKey: signer, weight: 0 } }),
  }
}
