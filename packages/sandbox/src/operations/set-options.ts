import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { accountFlags, findAccount, requireAccount, saveAccount } from '../ledger/accounts.ts'
import { type OperationLogic, type OperationOutcome, resultsOf } from './operation.ts'
import { setSigner } from './set-signer.ts'

const allFlags = 15
const byteMax = 255

const { success, done, refused } = resultsOf(xdr.OperationResultTr.setOptions, xdr.SetOptionsResult.setOptionsSuccess())

const isUnknown = (flags: number | null): boolean => flags !== null && (flags & ~allFlags) !== 0
const isPrintable = (text: xdr.XdrString): boolean => /^[\x20-\x7e]*$/.test(Buffer.from(text.bytes).toString('latin1'))
const isSelf = (key: xdr.SignerKey, source: xdr.PublicKey): boolean =>
  key.type === 'signerKeyTypeEd25519' && key.ed25519.equals(source.ed25519)

/** Pre-authorized transactions and signed payloads are not supported as signers. */
const isSupported = (key: xdr.SignerKey): boolean =>
  key.type === 'signerKeyTypeEd25519' || key.type === 'signerKeyTypeHashX'

const check = (options: xdr.SetOptionsOp, source: xdr.PublicKey): OperationOutcome => {
  const { setFlags, clearFlags, masterWeight, lowThreshold, medThreshold, highThreshold, signer, homeDomain } = options
  if (isUnknown(setFlags) || isUnknown(clearFlags)) return refused(xdr.SetOptionsResult.setOptionsUnknownFlag())
  if (((setFlags ?? 0) & (clearFlags ?? 0)) !== 0) return refused(xdr.SetOptionsResult.setOptionsBadFlags())
  if ([masterWeight, lowThreshold, medThreshold, highThreshold].some((weight) => (weight ?? 0) > byteMax))
    return refused(xdr.SetOptionsResult.setOptionsThresholdOutOfRange())
  if (signer !== null && !isSupported(signer.key)) return E.left(xdr.OperationResult.opNotSupported())
  if (signer !== null && (isSelf(signer.key, source) || signer.weight > byteMax))
    return refused(xdr.SetOptionsResult.setOptionsBadSigner())
  if (homeDomain !== null && !isPrintable(homeDomain))
    return refused(xdr.SetOptionsResult.setOptionsInvalidHomeDomain())
  return done
}

const flagsAfter = ({ flags }: xdr.AccountEntry, { setFlags, clearFlags }: xdr.SetOptionsOp) => {
  const isImmutable = (flags & accountFlags.authImmutable) !== 0
  if (isImmutable && ((setFlags ?? 0) | (clearFlags ?? 0)) !== 0)
    return refused(xdr.SetOptionsResult.setOptionsCantChange())
  const after = (flags & ~(clearFlags ?? 0)) | (setFlags ?? 0)
  const lacksRevocable = (after & accountFlags.authRevocable) === 0
  return lacksRevocable && (after & accountFlags.clawbackEnabled) !== 0
    ? refused(xdr.SetOptionsResult.setOptionsAuthRevocableRequired())
    : E.right(after)
}

export const setOptions = (options: xdr.SetOptionsOp): OperationLogic => {
  const { inflationDest, masterWeight, lowThreshold, medThreshold, highThreshold, signer, homeDomain } = options
  const changed = [masterWeight, lowThreshold, medThreshold, highThreshold]
  return {
    level: signer !== null || changed.some((weight) => weight !== null) ? 'high' : 'medium',
    success,
    check: (source) => check(options, source),
    apply: (source, draft) => {
      const account = requireAccount(draft, source)
      if (inflationDest !== null && !findAccount(draft, inflationDest))
        return refused(xdr.SetOptionsResult.setOptionsInvalidInflation())
      const flags = flagsAfter(account, options)
      if (E.isLeft(flags)) return flags
      const thresholds = account.thresholds.value.map((weight, place) => changed[place] ?? weight)
      saveAccount(draft, account, {
        inflationDest: inflationDest ?? account.inflationDest,
        homeDomain: homeDomain ?? account.homeDomain,
        flags: flags.right,
        thresholds,
      })
      return signer === null ? done : setSigner(draft, source, signer)
    },
  }
}
