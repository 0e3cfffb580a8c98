import { AccountId } from '@quittance/domain'
import { Keypair, StrKey, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { named } from '../named.ts'
import { localSigner } from '../signing/local-signer.ts'
import type { SignerUnavailable, SigningKey } from '../signing/signing-key.ts'
import { publicKeyOf } from './strkey.ts'
import { transactionHash } from './transaction-hash.ts'

/** An account's name and the secret (`S…`) that signs for it. */
export type StellarKeyPair = { readonly accountId: AccountId; readonly secret: string }

/** The key pair that 32 random bytes determine, as text. Throws for any other number of bytes. */
export const keyPairFromSeed = (seed: Uint8Array): StellarKeyPair => {
  const pair = Keypair.fromRawEd25519Seed(seed)
  return { accountId: named(AccountId, pair.publicKey()), secret: pair.secret() }
}

/** A signer with the key of a secret (`S…`); null for any other text, which is not repeated anywhere. */
export const signerOfSecret = (secret: string): SigningKey | null =>
  StrKey.isValidEd25519SecretSeed(secret) ? localSigner(StrKey.decodeEd25519SecretSeed(secret)) : null

/**
 * Adds the signature of `signer` to an envelope of ours; its hash stays. Signing the outer transaction of a fee bump
 * leaves the inner one as it is. Throws on an envelope that is malformed: it is our own.
 */
export const signTransaction = (
  envelopeXdr: string,
  networkPassphrase: string,
  signer: SigningKey,
): TaskEither<SignerUnavailable, string> => signEnvelope(envelopeXdr, [signer], networkPassphrase)

/**
 * Adds the signatures of all `signers`, one after the other, each key's once: the network refuses a superfluous one.
 * Errors: `SignerUnavailable` where one cannot sign; nothing is signed in part then. Throws as `signTransaction` does.
 */
export const signEnvelope = (
  envelopeXdr: string,
  signers: ReadonlyArray<SigningKey>,
  networkPassphrase: string,
): TaskEither<SignerUnavailable, string> => {
  const transaction = TransactionBuilder.fromXdr(envelopeXdr, networkPassphrase)
  const hash = transaction.hash()
  const purpose = { _tag: 'transaction' as const, transactionHash: transactionHash(hash) }
  const byKey = new Map(signers.map((signer) => [signer.publicKey, signer]))
  return async () => {
    for (const { publicKey, sign } of byKey.values()) {
      const signature = await sign(hash, purpose)()
      if (E.isLeft(signature)) return signature
      const hint = publicKeyOf(publicKey).subarray(-4)
      transaction.addDecoratedSignature(new xdr.DecoratedSignature({ hint, signature: signature.right }))
    }
    return E.right(transaction.toXdr())
  }
}
