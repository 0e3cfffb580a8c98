import { done } from '@quittance/billing/testing/outcomes'
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
import { type openNetwork, passphrase } from './metered-network.ts'
import { enrolmentOf } from './renewal-subscribers.ts'

/** Creates a mandate for a new wallet with 10,000 USDC, signed by the wallet as a customer does. */
export const enrolWallet = async (
  { sandbox, usdc, network: { gateway }, close }: ReturnType<typeof openNetwork>,
  termsFor: (wallet: AccountId) => MandateTerms,
): Promise<Enrolment> => {
  const seed = new Uint8Array(32).fill(9)
  const { secret, accountId: wallet } = keyPairFromSeed(seed)
  await done(sandbox.provision(secret))
  await done(sandbox.fund({ address: wallet, assetId: usdc }))
  const terms = termsFor(wallet)
  const head = await done(gateway.latestLedger())
  const view = await done(gateway.accountView(wallet, []))
  const order = {
    sourceAccount: wallet,
    nextAccountSequence: (view?.accountSequence ?? 0n) + 1n,
    ledgerClosedAt: head.closedAt,
    lifetimeMs: 300_000,
    notAfter: null,
    fee: stroops(1_000n),
    networkPassphrase: passphrase,
  }
  const { envelopeXdr } = await done(prepareCall(gateway)(order, createCall(terms, passphrase)))
  const signed = await done(signEnvelope(envelopeXdr, [localSigner(seed)], passphrase))
  await done(gateway.submit(signed))
  close()
  return enrolmentOf(terms)
}
