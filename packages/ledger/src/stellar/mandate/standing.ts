import { type ContractId, issuerOf, maximumStroops, stroops } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { EntriesAt, LedgerGateway, LedgerUnreachable } from '../../gateway.ts'
import type {
  Allowance,
  ApprovalKey,
  ApprovalStanding,
  MandateKey,
  MandateStanding,
  Wallet,
} from '../../mandate-standing.ts'
import { accountView } from '../account-entries.ts'
import { NATIVE } from '../assets.ts'
import { allowanceKey, expiryKey, recordKey, walletKeys } from './entry-keys.ts'
import { tokenContractOf } from './names.ts'
import { readValue, recordOf, StoredMandate } from './stored-values.ts'

export type Reader = Pick<LedgerGateway, 'entries' | 'networkPassphrase'>

/** Each takes five ledger keys, and a node takes 200 in one request. */
const standingsAtOnce = 40

const StoredAllowance = t.type({ amount: t.bigint, live_until_ledger: t.number })

/** A contract's value under a key, if the next ledger finds it there. */
const liveValue = <A>({ entries, asOf }: EntriesAt, key: string, codec: t.Type<A, unknown, unknown>): A | null => {
  const entry = entries.get(key)
  if (entry === undefined || (entry.liveUntil !== null && entry.liveUntil <= asOf)) return null
  return storedIn(entry.xdr, codec)
}

const storedIn = <A>(entryXdr: string, codec: t.Type<A, unknown, unknown>): A | null => {
  const data = xdr.LedgerEntryData.fromXdr(entryXdr, 'base64')
  return data.type === 'contractData' ? readValue(codec, data.contractData.val) : null
}

const allowanceIn = (found: EntriesAt, key: string): Allowance | null => {
  const stored = liveValue(found, key, StoredAllowance)
  if (stored === null || stored.live_until_ledger <= found.asOf) return null
  return { amount: stored.amount, liveUntil: stored.live_until_ledger }
}

const walletIn = ({ entries }: EntriesAt, key: ApprovalKey): Wallet | null => {
  const { customer, assetId } = key
  const held = walletKeys(key).flatMap((each) => {
    const entry = entries.get(each)
    return entry === undefined ? [] : [xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64')]
  })
  const view = accountView(customer, held)
  if (view === null) return null
  const free = { hasTrustline: true, isAuthorized: true }
  // The money is in the account itself or in its trustline, which is the last key.
  const changedIn = entries.get(walletKeys(key).at(-1) ?? '')?.changedIn
  const changed = changedIn === undefined ? {} : { changedIn }
  if (assetId === NATIVE) return { spendable: view.nativeSpendable, ...free, ...changed }
  if (issuerOf(assetId) === customer) return { spendable: stroops(maximumStroops), ...free }
  const [trustline] = view.trustlines
  return trustline === undefined
    ? { spendable: stroops(0n), hasTrustline: false, isAuthorized: false }
    : { spendable: trustline.spendable, hasTrustline: true, isAuthorized: trustline.isAuthorized, ...changed }
}

const approvalIn = (found: EntriesAt, key: ApprovalKey, token: ContractId): ApprovalStanding => ({
  allowance: allowanceIn(found, allowanceKey(key, token)),
  lastExpiry: liveValue(found, expiryKey(key, token), t.number),
  wallet: walletIn(found, key),
  asOf: found.asOf,
})

export const standingIn = (found: EntriesAt, key: MandateKey, token: ContractId): MandateStanding => {
  const entry = found.entries.get(recordKey(key))
  const stored = entry === undefined ? null : storedIn(entry.xdr, StoredMandate)
  return {
    ...approvalIn(found, key, token),
    record: stored === null ? null : recordOf(stored),
    isArchived: entry !== undefined && entry.liveUntil !== null && entry.liveUntil < found.asOf,
  }
}

/** Reads as many at once as a node takes; all entries of one key come from the same ledger. */
export const readAll =
  <Key extends ApprovalKey, Standing>(
    gateway: Reader,
    keysOf: (key: Key, token: ContractId) => ReadonlyArray<string>,
    standing: (found: EntriesAt, key: Key, token: ContractId) => Standing,
  ) =>
  (keys: ReadonlyArray<Key>): TaskEither<LedgerUnreachable, ReadonlyArray<Standing>> =>
  async () => {
    const tokenOf = ({ assetId }: Key): ContractId => tokenContractOf(assetId, gateway.networkPassphrase)
    const standings: Array<Standing> = []
    for (let start = 0; start < keys.length; start += standingsAtOnce) {
      const batch = keys.slice(start, start + standingsAtOnce)
      const found = await gateway.entries([...new Set(batch.flatMap((key) => keysOf(key, tokenOf(key))))])()
      if (E.isLeft(found)) return found
      standings.push(...batch.map((key) => standing(found.right, key, tokenOf(key))))
    }
    return E.right(standings)
  }

const approvalKeys = (key: ApprovalKey, token: ContractId): ReadonlyArray<string> => [
  allowanceKey(key, token),
  expiryKey(key, token),
  ...walletKeys(key),
]

/** Customers' approvals and wallets, in the given order; the terms of a mandate are made from them. */
export const readApprovals = (gateway: Reader) =>
  readAll<ApprovalKey, ApprovalStanding>(gateway, approvalKeys, approvalIn)

export const mandateKeys = (key: MandateKey, token: ContractId): ReadonlyArray<string> => [
  recordKey(key),
  ...approvalKeys(key, token),
]

/** Mandates and the wallets that pay for them, in the given order. */
export const readMandates = (gateway: Reader) => readAll<MandateKey, MandateStanding>(gateway, mandateKeys, standingIn)
