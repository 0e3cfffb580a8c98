import { xdr } from '@stellar/stellar-sdk'
import { baseReserve } from '../network.ts'
import { extended, extensionOf } from './account-extension.ts'
import type { ClosingLedger, LedgerDraft, LedgerView } from './draft.ts'
import { accountKey } from './entry-keys.ts'

export const int64Max = 9_223_372_036_854_775_807n
export const accountFlags = { authRequired: 1, authRevocable: 2, authImmutable: 4, clawbackEnabled: 8 }

export const findAccount = (view: LedgerView, accountId: xdr.PublicKey): xdr.AccountEntry | undefined => {
  const data = view.find(accountKey(accountId))?.data
  return data?.type === 'account' ? data.account : undefined
}

/** Thrown when an account vanishes between two reads. */
class MissingAccount extends Error {}

export const requireAccount = (view: LedgerView, accountId: xdr.PublicKey): xdr.AccountEntry => {
  const account = findAccount(view, accountId)
  if (account === undefined) throw new MissingAccount(accountId.toXdr('hex'))
  return account
}

export const saveAccount = (
  draft: LedgerDraft,
  account: xdr.AccountEntry,
  change: Partial<ConstructorParameters<typeof xdr.AccountEntry>[0]>,
): void => draft.put(xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...account, ...change })))

/**
 * The minimum balance in stroops: two reserves, one for each subentry, one for each entry it sponsors, less one for
 * each that others sponsor for it.
 */
export const minimumBalance = (account: xdr.AccountEntry): bigint => {
  const { numSponsoring, numSponsored } = extensionOf(account)
  return BigInt(2 + account.numSubEntries + numSponsoring - numSponsored) * baseReserve
}

/**
 * The balance in stroops less the reserve and the selling liabilities. Negative when fees have consumed part of the
 * reserve.
 */
export const availableBalance = (account: xdr.AccountEntry): bigint =>
  account.balance - minimumBalance(account) - extensionOf(account).liabilities.selling

/** A new account. Its sequence number starts at the ledger's, shifted by 32 bits. */
export const newAccount = (accountId: xdr.PublicKey, balance: bigint, ledgerSequence: number): xdr.AccountEntry =>
  new xdr.AccountEntry({
    accountId,
    balance,
    seqNum: BigInt(ledgerSequence) << 32n,
    numSubEntries: 0,
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: Uint8Array.of(1, 0, 0, 0),
    signers: [],
    ext: xdr.AccountEntryExt.v0(),
  })

/** The account after using a sequence number in this ledger. */
export const withUsedSequence = (
  account: xdr.AccountEntry,
  ledger: ClosingLedger,
  seqNum: bigint,
): xdr.AccountEntry => {
  const ext = extended(account, 3, { seqLedger: ledger.sequence, seqTime: ledger.closeTime })
  return new xdr.AccountEntry({ ...account, seqNum, ext })
}
