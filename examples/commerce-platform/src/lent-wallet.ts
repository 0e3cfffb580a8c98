import { randomBytes } from 'node:crypto'
import type { Billing } from '@quittance/billing'
import { AccountId } from '@quittance/domain'
import { keyPairFromSeed, localSigner, signTransaction } from '@quittance/ledger'
import type { Sandbox } from '@quittance/sandbox'
import { decoded, done } from './results.ts'

/** Pays or signs as a customer's wallet does, with test money. Only a sandbox can lend one. */
export const lentWallet =
  (sandbox: Sandbox, { payer }: Pick<Billing, 'payer'>) =>
  async (checkoutId: string): Promise<{ readonly transaction_hash: string }> => {
    const { asset_id } = await done(payer.quote(checkoutId))
    const seed = randomBytes(32)
    const { accountId, secret } = keyPairFromSeed(seed)
    await done(sandbox.provision(secret))
    await done(sandbox.fund({ address: accountId, assetId: asset_id }))
    const { transaction_xdr } = await done(payer.transaction(checkoutId, decoded(AccountId.decode(accountId))))
    const signed = await done(signTransaction(transaction_xdr, sandbox.networkPassphrase, localSigner(seed)))
    return done(payer.submit(checkoutId, signed))
  }
