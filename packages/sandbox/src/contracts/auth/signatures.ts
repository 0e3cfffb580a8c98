import type { xdr } from '@stellar/stellar-sdk'
import { findAccount } from '../../ledger/accounts.ts'
import type { LedgerView } from '../../ledger/draft.ts'
import { ed25519Signs } from '../../ledger/signatures.ts'
import { contractError, hostError } from '../host-error.ts'
import type { Meter } from '../meter.ts'
import { fieldOf } from '../values/sc-values.ts'

const maxSignatures = 20
const refused = (message: string) => contractError(5, message)

const bytesIn = (value: xdr.ScVal, field: string, length: number): Uint8Array => {
  const found = fieldOf(value, field)
  if (found?.type !== 'scvBytes' || found.bytes.value.length !== length)
    throw hostError('value', 'unexpectedType', `a signature needs ${field}`)
  return found.bytes.value
}

const weightOf = (account: xdr.AccountEntry, publicKey: Uint8Array): number => {
  const isKey = (bytes: Uint8Array): boolean => Buffer.compare(bytes, publicKey) === 0
  if (isKey(account.accountId.ed25519.value)) return account.thresholds.value[0] ?? 0
  const signer = account.signers.find(({ key }) => key.type === 'signerKeyTypeEd25519' && isKey(key.ed25519.value))
  return Math.min(signer?.weight ?? 0, 255)
}

/**
 * Checks an account's signatures: a vector of `{ public_key, signature }`, ordered by key, whose weights reach the
 * medium threshold. Every signature must be valid and belong to a signer, even beyond the threshold.
 */
export const checkSignatures = (
  view: LedgerView,
  meter: Meter,
  accountId: xdr.PublicKey,
  payload: Uint8Array,
  signature: xdr.ScVal,
): void => {
  const signatures = signature.type === 'scvVec' ? (signature.vec ?? []) : []
  if (signatures.length === 0) throw refused('no account signatures found')
  if (signatures.length > maxSignatures) throw refused('too many account signers')
  const account = findAccount(view, accountId)
  if (account === undefined) throw hostError('storage', 'missingValue', 'account is missing')
  let weight = 0
  let previous: Uint8Array | undefined
  for (const each of signatures) {
    const publicKey = bytesIn(each, 'public_key', 32)
    if (previous !== undefined && Buffer.compare(previous, publicKey) >= 0) throw refused('public keys are not ordered')
    meter.count('signatures')
    if (!ed25519Signs(publicKey, payload, bytesIn(each, 'signature', 64)))
      throw hostError('crypto', 'invalidInput', 'failed ED25519 verification')
    const added = weightOf(account, publicKey)
    if (added === 0) throw refused('signer does not belong to account')
    weight += added
    previous = publicKey
  }
  if (weight < (account.thresholds.value[2] ?? 0)) throw refused('signature weight is lower than threshold')
}
