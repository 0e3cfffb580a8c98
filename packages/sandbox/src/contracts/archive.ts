import type { xdr } from '@stellar/stellar-sdk'
import { isPersistent } from '../ledger/contract-transaction.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { type HostError, hostError } from './host-error.ts'
import { liveUntilIn } from './lifetimes.ts'
import type { Storage } from './storage.ts'

/** Whether an entry has expired and can be restored. */
const isArchived = (key: xdr.LedgerKey, draft: LedgerDraft): boolean =>
  isPersistent(key) && (liveUntilIn(draft, key.toXdr('hex')) ?? draft.ledger.sequence) < draft.ledger.sequence

/** Indexes, in the read-write footprint, of entries that must be restored. */
export const archivedIn = ({ readWrite }: xdr.LedgerFootprint, draft: LedgerDraft): ReadonlyArray<number> =>
  [...readWrite.entries()].flatMap(([index, key]) => (isArchived(key, draft) ? [index] : []))

const archiveError = hostError('storage', 'invalidAction', 'an archived entry is not restored')

export const isArchiveError = (failure: HostError): boolean => failure === archiveError

/** Restores the entries that the transaction lists; any other archived entry in the footprint fails it. */
export const restore = (
  storage: Storage,
  draft: LedgerDraft,
  { footprint, restored }: { readonly footprint: xdr.LedgerFootprint; readonly restored: ReadonlyArray<number> },
): void => {
  const isMissing = archivedIn(footprint, draft).some((index) => !restored.includes(index))
  if (isMissing || footprint.readOnly.some((key) => isArchived(key, draft))) throw archiveError
  for (const index of restored) {
    const key = footprint.readWrite[index]
    if (key !== undefined) storage.restore(key.toXdr('hex'))
  }
}
