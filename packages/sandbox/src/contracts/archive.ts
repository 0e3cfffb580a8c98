import type { xdr } from '@stellar/stellar-sdk'
import type { LedgerDraft } from '../ledger/draft.ts'
import { type HostError, hostError } from './host-error.ts'
import { liveUntilIn } from './lifetimes.ts'
import type { Storage } from './storage.ts'

const isPersistent = (key: xdr.LedgerKey): boolean =>
  key.type === 'contractCode' || (key.type === 'contractData' && key.contractData.durability.name === 'persistent')

/** Whether an entry's life has ended, but it can be restored. */
const isArchived = (key: xdr.LedgerKey, draft: LedgerDraft): boolean =>
  isPersistent(key) && (liveUntilIn(draft, key.toXdr('hex')) ?? draft.ledger.sequence) < draft.ledger.sequence

/** Places in the read-write part of entries that have to be restored. */
export const archivedIn = ({ readWrite }: xdr.LedgerFootprint, draft: LedgerDraft): ReadonlyArray<number> =>
  [...readWrite.entries()].flatMap(([place, key]) => (isArchived(key, draft) ? [place] : []))

const archiveError = hostError('storage', 'invalidAction', 'an archived entry is not restored')

export const isArchiveError = (failure: HostError): boolean => failure === archiveError

/** Restores what the transaction says it restores; anything else that is archived stands in its way. */
export const restore = (
  storage: Storage,
  draft: LedgerDraft,
  { footprint, restored }: { readonly footprint: xdr.LedgerFootprint; readonly restored: ReadonlyArray<number> },
): void => {
  const isMissing = archivedIn(footprint, draft).some((place) => !restored.includes(place))
  if (isMissing || footprint.readOnly.some((key) => isArchived(key, draft))) throw archiveError
  for (const place of restored) {
    const key = footprint.readWrite[place]
    if (key !== undefined) storage.restore(key.toXdr('hex'))
  }
}
