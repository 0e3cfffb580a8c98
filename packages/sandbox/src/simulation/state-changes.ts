import { xdr } from '@stellar/stellar-sdk'
import type { LedgerDraft } from '../ledger/draft.ts'
import type { EntryKey } from '../ledger/entry-keys.ts'

type StateChange = {
  readonly type: 'created' | 'updated' | 'deleted'
  readonly key: string
  readonly before: string | null
  readonly after: string | null
}

/** The entries that a draft changes, without their lifetimes. */
export const stateChanges = (draft: LedgerDraft, read: (key: EntryKey) => xdr.LedgerEntry | undefined) =>
  [...draft.touched()].flatMap(([hex, after]): ReadonlyArray<StateChange> => {
    const before = read(hex)
    const key = xdr.LedgerKey.fromXdr(hex, 'hex')
    if (key.type === 'ttl') return []
    const type = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated'
    const text = (entry: xdr.LedgerEntry | undefined) => entry?.toXdr('base64') ?? null
    return [{ type, key: key.toXdr('base64'), before: text(before), after: text(after) }]
  })
