import { Address, Asset, StrKey, xdr } from '@stellar/stellar-sdk'
import { liveUntilIn, setLives } from '../contracts/lifetimes.ts'
import { record, symbol, vec } from '../contracts/values/sc-values.ts'
import { mandateContractOf } from '../deployment/contracts.ts'
import { isPersistent } from '../ledger/contract-transaction.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
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

/** An entry, and how many ledgers it has left. */
type EndingEntry = { readonly key: EntryKey; readonly left: number }

/** The entries that the knobs expire, or the invalid field of a knob. */
export const entriesToExpire = (
  network: Network,
  { expired_allowance: allowance, archived_entry: archived }: Faults,
): ReadonlyArray<EndingEntry> | FaultRefused => {
  const requested = [
    ...(allowance === undefined ? [] : [{ key: allowanceToExpire(network, allowance), left: -1 }]),
    ...(archived === undefined ? [] : [{ key: entryToArchive(network, archived), left: archived.ledgers_left ?? -1 }]),
  ]
  const ending: EndingEntry[] = []
  for (const { key, left } of requested) {
    if (typeof key !== 'string') return key
    ending.push({ key, left })
  }
  return ending
}

/**
 * Shortens the lives of entries. Those without any ledger left expire with the ledger before the closing one, so that a
 * simulation on the last closed ledger already sees them expired. Answers their changes.
 */
export const expireEntries = (below: LedgerDraft, ending: ReadonlyArray<EndingEntry>): xdr.LedgerEntryChange[] => {
  const lives = ending.map(({ key, left }) => ({ key, liveUntil: below.ledger.sequence + left }))
  return setLives(
    below,
    lives.filter(({ key, liveUntil }) => (liveUntilIn(below, key) ?? 0) > liveUntil),
  )
}
