import { AccountId } from '@quittance/domain'
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk'
import { named } from '../named.ts'

/** An account's name and the secret (`S…`) that signs for it. */
export type StellarKeyPair = { readonly accountId: AccountId; readonly secret: string }

/** The key pair that 32 random bytes determine. Throws for any other number of bytes. */
export const keyPairFromSeed = (seed: Uint8Array): StellarKeyPair => {
  const pair = Keypair.fromRawEd25519Seed(seed)
  return { accountId: named(AccountId, pair.publicKey()), secret: pair.secret() }
}

/**
 * Adds the signature of `secret` to an envelope of ours; its hash stays. Signing the outer transaction of a fee bump
 * leaves the inner one as it is. Throws on an envelope or a secret that is malformed: both are our own.
 */
export const signTransaction = (envelopeXdr: string, secret: string, networkPassphrase: string): string => {
  const transaction = TransactionBuilder.fromXdr(envelopeXdr, networkPassphrase)
  transaction.sign(Keypair.fromSecret(secret))
  return transaction.toXdr()
}
