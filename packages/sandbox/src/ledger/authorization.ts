import { xdr } from '@stellar/stellar-sdk'
import type { SignatureChecker } from './signatures.ts'

/** The authority that an operation needs; an account has a threshold for each level. */
export type Level = 'low' | 'medium' | 'high'

const placeOf: Record<Level, number> = { low: 1, medium: 2, high: 3 }

const masterKey = (accountId: xdr.PublicKey): xdr.SignerKey =>
  xdr.SignerKey.signerKeyTypeEd25519(accountId.ed25519.value)

/** Whether the signatures reach the account's threshold for the level. */
export const isAuthorized = (checker: SignatureChecker, account: xdr.AccountEntry, level: Level): boolean => {
  const thresholds = account.thresholds.value
  const masterWeight = thresholds[0] ?? 0
  const master = masterWeight > 0 ? [{ key: masterKey(account.accountId), weight: masterWeight }] : []
  return checker.check([...account.signers, ...master], thresholds[placeOf[level]] ?? 0)
}

/** Whether the key of an account that does not exist yet has signed. */
export const isSignedByNewcomer = (checker: SignatureChecker, accountId: xdr.PublicKey): boolean =>
  checker.check([{ key: masterKey(accountId), weight: 1 }], 0)
