import type { xdr } from '@stellar/stellar-sdk'
import type { LedgerDraft } from '../ledger/draft.ts'
import type { InvocationCost } from './invocation.ts'
import type { Counts } from './meter.ts'
import { rentFee, sizeOf } from './rent.ts'
import type { Change } from './storage.ts'

/** Instructions per counted action, fitted to the native costs that the mandate's vectors record. */
const instructions = { hostCalls: 2_450, wasmFrames: 387_500, accesses: 19_000, signatures: 400_000 }

const instructionsOf = (counts: Counts): number =>
  instructions.hostCalls * counts.hostCalls +
  instructions.wasmFrames * counts.wasmFrames +
  instructions.accesses * counts.accesses +
  instructions.signatures * counts.signatures

/** What a call touched; `output` holds its events and its return value. */
type Use = {
  readonly footprint: xdr.LedgerFootprint
  readonly archived: ReadonlyArray<number>
  readonly changes: ReadonlyArray<Change>
  readonly output: ReadonlyArray<xdr.ContractEvent | xdr.ScVal>
}

const isOnDisk = ({ type }: xdr.LedgerKey): boolean => type === 'account' || type === 'trustline'

const sum = (lengths: ReadonlyArray<number>): number => lengths.reduce((total, length) => total + length, 0)

/**
 * The cost of a call. Nodes hold contract entries in memory, so reads count only accounts, trustlines and restored
 * entries. `draft` is the ledger before the call.
 */
export const costOf = (
  counts: Counts,
  draft: LedgerDraft,
  { footprint, archived, changes, output }: Use,
): InvocationCost => {
  const { readOnly, readWrite } = footprint
  const onDisk = [...readOnly, ...readWrite].filter(isOnDisk)
  const restored = readWrite.filter((_, place) => archived.includes(place))
  const read = [...onDisk, ...restored].flatMap((key) => draft.find(key.toXdr('hex')) ?? [])
  const written = changes.filter(({ before, after }) => before?.data !== after.data)
  return {
    instructions: instructionsOf(counts),
    readEntries: read.length,
    writeEntries: readWrite.length,
    readBytes: sum(read.map((entry) => entry.toXdr().length)),
    writeBytes: sum(written.map(({ after }) => sizeOf(after.data))),
    eventBytes: sum(output.map((each) => each.toXdr().length)),
    rentFee: rentFee(changes, draft.ledger.sequence),
  }
}
