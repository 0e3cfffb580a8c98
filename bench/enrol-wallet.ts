import { type AccountId, stroops } from '@quittance/domain'
import {
  createCall,
  keyPairFromSeed,
  localSigner,
  type MandateTerms,
  prepareCall,
  signEnvelope,
} from '@quittance/ledger'
import type { Enrolment } from './copied-wallets.ts'
import { type openNetwork, passphrase, rightOf } from './metered-network.ts'
import { enrolmentOf } from './renewal-subscribers.ts'

/** Has a new wallet with 10,000 USDC create a mandate by its own signature, as a customer does. */
export const enrolWallet = async (
  { sandbox, usdc, network: { gateway }, close }: ReturnType<typeof openNetwork>,
  termsFor: (wallet: AccountId) => MandateTerms,
): Promise<Enrolment> => {
  const seed = new Uint8Array(32).fill(9)
  const { secret, accountId: wallet } = keyPairFromSeed(seed)
  rightOf(await sandbox.provision(secret)())
  rightOf(await sandbox.fund({ address: wallet, assetId: usdc })())
  const terms = termsFor(wallet)
  const head = rightOf(await gateway.latestLedger()())
  const view = rightOf(await gateway.accountView(wallet, [])())
  const order = {
    sourceAccount: wallet,
    nextAccountSequence: (view?.accountSequence ?? 0n) + 1n,
    ledgerClosedAt: head.closedAt,
    lifetimeMs: 300_000,
    notAfter: null,
    fee: stroops(1_000n),
    networkPassphrase: passphrase,
  }
  const { envelopeXdr } = rightOf(await prepareCall(gateway)(order, createCall(terms, passphrase))())
  const signed = rightOf(await signEnvelope(envelopeXdr, [localSigner(seed)], passphrase)())
  rightOf(await gateway.submit(signed)())
  close()
  return enrolmentOf(terms)
}
