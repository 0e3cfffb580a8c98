import { xdr } from '@stellar/stellar-sdk'
import { rentFee } from '../contracts/rent.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import type { SignedTransaction } from '../ledger/envelope.ts'
import { extensionsDue } from '../operations/extend-footprint-ttl.ts'
import { restorationsDue, restoredBytes } from '../operations/restore-footprint.ts'
import type { SimulatedTransaction } from './call.ts'
import { declarationOf } from './resources.ts'

const keysOf = (due: ReadonlyArray<{ readonly key: string }>) => due.map(({ key }) => xdr.LedgerKey.fromXdr(key, 'hex'))

/** Simulates an extension; skips entries that already live longer. */
export const simulatedExtension = (
  signed: SignedTransaction,
  draft: LedgerDraft,
  { readOnly }: xdr.LedgerFootprint,
  extendTo: number,
): SimulatedTransaction => {
  const due = extensionsDue(draft, draft.ledger.sequence, readOnly, extendTo)
  const footprint = new xdr.LedgerFootprint({ readOnly: keysOf(due), readWrite: [] })
  return { ...declarationOf(signed, { footprint, refundable: rentFee(due, draft.ledger.sequence) }), events: [] }
}

/** Simulates a restoration; skips entries that are alive. */
export const simulatedRestoration = (
  signed: SignedTransaction,
  draft: LedgerDraft,
  { readWrite }: xdr.LedgerFootprint,
): SimulatedTransaction => {
  const due = restorationsDue(draft, draft.ledger.sequence, readWrite)
  const footprint = new xdr.LedgerFootprint({ readOnly: [], readWrite: keysOf(due) })
  const bytes = restoredBytes(due)
  const needs = { footprint, diskReadBytes: bytes, writeBytes: bytes, refundable: rentFee(due, draft.ledger.sequence) }
  return { ...declarationOf(signed, needs), events: [] }
}
