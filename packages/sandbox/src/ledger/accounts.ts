import { xdr } from '@stellar/stellar-sdk'
import { baseReserve } from '../network.ts'
import type { LedgerDraft, LedgerView } from './draft.ts'
import { accountKey } from './entry-keys.ts'

export const int64Max = 9_223_372_036_854_775_807n
const maxSubentries = 1_000

export const findAccount = (view: LedgerView, accountId: xdr.PublicKey): xdr.AccountEntry | undefined => {
  const data = view.find(accountKey(accountId))?.data
  return data?.type === 'account' ? data.account : undefined
}

/** Thrown when an account has vanished that was just seen. */
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

/** What an account must keep, in stroops: two reserves and one for each subentry. */
export const minimumBalance = (subentries: number): bigint => (2n + BigInt(subentries)) * baseReserve

/** What an account can spend, in stroops; below zero when fees have eaten into its reserve. */
export const availableBalance = (account: xdr.AccountEntry): bigint =>
  account.balance - minimumBalance(account.numSubEntries)

/** Why no further trustline, signer or data entry fits an account, or undefined when one does. */
export const subentryProblem = (account: xdr.AccountEntry): 'tooMany' | 'lowReserve' | undefined => {
  if (account.numSubEntries + 1 > maxSubentries) return 'tooMany'
  return account.balance < minimumBalance(account.numSubEntries + 1) ? 'lowReserve' : undefined
}

/** A new account as the network makes it: its first sequence number is the ledger's, shifted by 32 bits. */
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

/** When the account's sequence number was last used: ledger and close time, zero where it never was. */
export const sequenceUsed = ({ ext }: xdr.AccountEntry): { readonly ledger: number; readonly time: bigint } => {
  const v2 = ext.type === 'v1' && ext.v1.ext.type === 'v2' ? ext.v1.ext.v2 : undefined
  if (v2?.ext.type !== 'v3') return { ledger: 0, time: 0n }
  return { ledger: v2.ext.v3.seqLedger, time: v2.ext.v3.seqTime }
}

/** The extension of an account whose sequence number was used in a ledger; one empty sponsor stands for each signer. */
export const usedExtension = (signers: number, ledger: number, time: bigint): xdr.AccountEntryExt =>
  xdr.AccountEntryExt.v1(
    new xdr.AccountEntryExtensionV1({
      liabilities: new xdr.Liabilities({ buying: 0n, selling: 0n }),
      ext: xdr.AccountEntryExtensionV1Ext.v2(
        new xdr.AccountEntryExtensionV2({
          numSponsored: 0,
          numSponsoring: 0,
          signerSponsoringIDs: Array.from({ length: signers }, () => null),
          ext: xdr.AccountEntryExtensionV2Ext.v3(
            new xdr.AccountEntryExtensionV3({
              ext: xdr.ExtensionPoint.v0(),
              seqLedger: ledger,
              seqTime: time,
            }),
          ),
        }),
      ),
    }),
  )
