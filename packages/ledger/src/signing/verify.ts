import type { AccountId } from '@quittance/domain'
import { publicKeyOf } from '../stellar/strkey.ts'
import { isSignatureOf } from './ed25519.ts'

/** Whether the key that an account's address names made this signature (64 bytes) of these bytes. Never throws. */
export const isSignedBy = (key: AccountId, bytes: Uint8Array, signature: Uint8Array): boolean =>
  isSignatureOf(publicKeyOf(key), bytes, signature)
