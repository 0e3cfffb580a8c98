import { done } from '@quittance/billing/testing/outcomes'
import { AccountId, decimalFromStroops, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import {
  createCall,
  keyPairFromSeed,
  localSigner,
  type MandateTerms,
  prepareCall,
  signEnvelope,
} from '@quittance/ledger'
import { Account, Asset, BASE_FEE, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import type { Enrolment } from './copied-wallets.ts'
import { type openNetwork, passphrase } from './metered-network.ts'
import { enrolmentOf } from './renewal-subscribers.ts'

const always = { minTime: 0, maxTime: 0 }

const seedOf = (number: number): Uint8Array => new Uint8Array(32).fill(number)

/** Creates a mandate for a new wallet with 10,000 USDC, signed by the wallet as a customer does. `number` makes its key. */
export const enrolWallet = async (
  { sandbox, usdc, network: { gateway }, close }: ReturnType<typeof openNetwork>,
  termsFor: (wallet: AccountId) => MandateTerms,
  number = 9,
): Promise<Enrolment> => {
  const seed = seedOf(number)
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

/** The wallet of this number gives all its USDC back to the issuer. */
export const emptyWallet = async (
  { sandbox, usdc, network: { gateway }, close }: ReturnType<typeof openNetwork>,
  number: number,
): Promise<void> => {
  const keypair = Keypair.fromRawEd25519Seed(Buffer.from(seedOf(number)))
  const address = decoded(AccountId, keypair.publicKey())
  const view = await done(gateway.accountView(address, []))
  const [holding] = await done(gateway.balances([{ account: address, assetId: usdc }]))
  const [code = '', issuer = ''] = usdc.split(':')
  const account = new Account(address, String(view?.accountSequence))
  const built = new TransactionBuilder(account, { fee: BASE_FEE, networkPassphrase: passphrase, timebounds: always })
    .addOperation(
      Operation.payment({
        destination: issuer,
        asset: new Asset(code, issuer),
        amount: decimalFromStroops(stroops(holding?.held ?? 0n)),
      }),
    )
    .build()
  built.sign(keypair)
  sandbox.submit(built.toXDR())
  close()
}
