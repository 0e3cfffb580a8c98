import { Address, Asset, StrKey, xdr } from '@stellar/stellar-sdk'
import { liveUntilIn, ttlEntry } from '../contracts/lifetimes.ts'
import { record, symbol, vec } from '../contracts/values/sc-values.ts'
import { mandateContractOf } from '../deployment/contracts.ts'
import { isPersistent } from '../ledger/contract-transaction.ts'
import { draftOn, keepIn, type LedgerDraft } from '../ledger/draft.ts'
import { contractDataKey, type EntryKey } from '../ledger/entry-keys.ts'
import type { Network } from '../network.ts'
import type { FaultRefused } from '../sandbox-api.ts'
import type { Faults } from './faults.ts'

const { persistent, temporary } = xdr.ContractDataDurability

const refused = (knob: FaultRefused['knob'], field: FaultRefused['field']): FaultRefused => ({
  _tag: 'FaultRefused',
  knob,
  field,
})

/** The entry of an account's allowance for the mandate contract. */
const allowanceKey = (network: Network, account: string, asset: Asset): EntryKey => {
  const parties = record({
    from: new Address(account).toScVal(),
    spender: new Address(mandateContractOf(network)).toScVal(),
  })
  const contract = new Address(asset.contractId(network.passphrase)).toScAddress()
  return contractDataKey(contract, vec(symbol('Allowance'), parties), temporary)
}

/** The entry of a mandate. */
const mandateKey = (network: Network, mandate: string): EntryKey => {
  const id = xdr.ScVal.scvBytes(Buffer.from(mandate, 'hex'))
  return contractDataKey(new Address(mandateContractOf(network)).toScAddress(), vec(symbol('Mandate'), id), persistent)
}

const allowanceToExpire = (
  network: Network,
  { account, asset_id }: NonNullable<Faults['expired_allowance']>,
): EntryKey | FaultRefused => {
  if (!StrKey.isValidEd25519PublicKey(account)) return refused('expired_allowance', 'account')
  const asset = network.assets.find(({ assetId }) => assetId === asset_id)
  if (asset === undefined) return refused('expired_allowance', 'asset_id')
  const issued = asset.issuer === null ? Asset.native() : new Asset(asset.code, asset.issuer)
  return allowanceKey(network, account, issued)
}

const entryToArchive = (
  network: Network,
  { mandate, key }: NonNullable<Faults['archived_entry']>,
): EntryKey | FaultRefused => {
  if (mandate !== undefined && key === undefined)
    return /^[0-9a-f]{64}$/.test(mandate) ? mandateKey(network, mandate) : refused('archived_entry', 'mandate')
  try {
    const decoded = xdr.LedgerKey.fromXdr(mandate === undefined ? (key ?? '') : '', 'base64')
    return isPersistent(decoded) ? decoded.toXdr('hex') : refused('archived_entry', 'key')
  } catch {
    return refused('archived_entry', 'key')
  }
}

/** The entries that the knobs expire, or the invalid field of a knob. */
export const entriesToExpire = (
  network: Network,
  { expired_allowance: allowance, archived_entry: archived }: Faults,
): ReadonlyArray<EntryKey> | FaultRefused => {
  const requested = [
    ...(allowance === undefined ? [] : [allowanceToExpire(network, allowance)]),
    ...(archived === undefined ? [] : [entryToArchive(network, archived)]),
  ]
  const keys: EntryKey[] = []
  for (const each of requested) {
    if (typeof each !== 'string') return each
    keys.push(each)
  }
  return keys
}

/**
 * Expires entries with the ledger before the closing one, so that a simulation on the last closed ledger already sees
 * them expired. Answers their changes.
 */
export const expireEntries = (below: LedgerDraft, keys: ReadonlyArray<EntryKey>): xdr.LedgerEntryChange[] => {
  const draft = draftOn(below, below.ledger)
  const ended = below.ledger.sequence - 1
  for (const key of keys) if ((liveUntilIn(draft, key) ?? 0) > ended) draft.put(ttlEntry(key, ended))
  const changes = draft.changes()
  keepIn(below, draft)
  return changes
}
