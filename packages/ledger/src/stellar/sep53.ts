import { createHash } from 'node:crypto'
import type { AccountId } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { isSignatureOf } from '../signing/ed25519.ts'
import type { SignerUnavailable, SigningKey } from '../signing/signing-key.ts'
import { publicKeyOf } from './strkey.ts'

const PREFIX = 'Stellar Signed Message:\n'

/** The hash that signs a message, which never equals a transaction's hash. Text is UTF-8. */
const messageHash = (message: Uint8Array | string): Buffer =>
  createHash('sha256').update(PREFIX).update(message).digest()

/** Proves that the holder of a key has agreed to a message. The signature has 64 bytes. Source: SEP-53. */
export const signMessage = (
  message: Uint8Array | string,
  signer: SigningKey,
): TaskEither<SignerUnavailable, Uint8Array> => signer.sign(messageHash(message), { _tag: 'message' })

/** Whether an account's own key has signed a message; its other signers do not count. Never throws. */
export const isMessageSignedBy = (account: AccountId, message: Uint8Array | string, signature: Uint8Array): boolean =>
  isSignatureOf(publicKeyOf(account), messageHash(message), signature)
