import { AccountId } from '@quittance/domain'
import { Keypair, StrKey, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { named } from '../named.ts'
import { localSigner } from '../signing/local-signer.ts'
import type { Signer, SignerUnavailable } from '../signing/signer.ts'
import { publicKeyOf } from './strkey.ts'
import { transactionHash } from './transaction-hash.ts'

/** An account's name and the secret (`S…`) that signs for it. */
export type StellarKeyPair = { readonly accountId: AccountId; readonly secret: string }

/** The key pair that 32 random bytes determine, for those who need it as text. Throws for any other number of bytes. */
export const keyPairFromSeed = (seed: Uint8Array): StellarKeyPair => {
  const pair = Keypair.fromRawEd25519Seed(seed)
  return { accountId: named(AccountId, pair.publicKey()), secret: pair.secret() }
}

/** A signer with the key of a secret (`S…`); null for a text that is none, which is not repeated anywhere. */
export const signerOfSecret = (secret: string): Signer | null =>
  StrKey.isValidEd25519SecretSeed(secret) ? localSigner(StrKey.decodeEd25519SecretSeed(secret)) : null

/**
 * Adds the signature of `signer` to an envelope of ours; its hash stays. Signing the outer transaction of a fee bump
 * leaves the inner one as it is. Throws on an envelope that is malformed: it is our own.
 */
export const signTransaction = (
  envelopeXdr: string,
  networkPassphrase: string,
  signer: Signer,
): TE.TaskEither<SignerUnavailable, string> => signEnvelope(envelopeXdr, [signer], networkPassphrase)

/**
 * Adds the signatures of all `signers`, one after the other, each key's once: the network refuses a superfluous one.
 * Errors: `SignerUnavailable` where one cannot sign; nothing is signed in part then. Throws as `signTransaction` does.
 */
export const signEnvelope = (
  envelopeXdr: string,
  signers: ReadonlyArray<Signer>,
  networkPassphrase: string,
): TE.TaskEither<SignerUnavailable, string> => {
  const transaction = TransactionBuilder.fromXdr(envelopeXdr, networkPassphrase)
  const hash = transaction.hash()
  const purpose = { _tag: 'transaction' as const, transactionHash: transactionHash(hash) }
  const signed = ({ publicKey, sign }: Signer) =>
    TE.map((signature: Uint8Array) => {
      const hint = publicKeyOf(publicKey).subarray(-4)
      return new xdr.DecoratedSignature({ hint, signature })
    })(sign(hash, purpose))
  const byKey = new Map(signers.map((signer) => [signer.publicKey, signer]))
  return pipe(
    [...byKey.values()],
    TE.traverseSeqArray(signed),
    TE.map((signatures) => {
      for (const signature of signatures) transaction.addDecoratedSignature(signature)
      return transaction.toXdr()
    }),
  )
}
