import type { AccountId, IntentClass } from '@quittance/domain'
import { PAYOUTS_AT_ONCE } from '@quittance/ledger'
import type { Found, IntentRow, Scope } from '@quittance/projections'

/** Intents that can share a transaction. */
export type Batch = Scope & {
  readonly source: AccountId
  readonly class: IntentClass
  readonly intents: ReadonlyArray<Found<IntentRow>>
}

type Growing = Batch & { readonly intents: Array<Found<IntentRow>> }

/** How many transactions can be made at once: for each account that pays, and of all together. */
export type Room = { readonly each: number; readonly all: number }

/**
 * Puts intents, the longest waiting first, into as few transactions as hold them, and looks at no more of them than there
 * is room for. Those that were let go because another one failed share no transaction with others that nobody has tried
 * yet: so whatever keeps coming, each failure leaves fewer behind.
 */
export const batchesOf = (waiting: Iterable<Found<IntentRow>>, room: Room): ReadonlyArray<Batch> => {
  const all: Array<Growing> = []
  const byGroup = new Map<string, Array<Growing>>()
  let full = 0
  for (const intent of waiting) {
    if (full === room.all) break
    const { merchantId, environment, row } = intent
    const { source, class: of } = row.details
    const group = [merchantId, source, of, row.bystandings].join()
    const own = byGroup.get(group) ?? []
    const last = own.at(-1)
    if (last !== undefined && last.intents.length < PAYOUTS_AT_ONCE) {
      last.intents.push(intent)
      full += last.intents.length === PAYOUTS_AT_ONCE ? 1 : 0
    } else if (own.length < room.each && all.length < room.all) {
      const batch: Growing = { merchantId, environment, source, class: of, intents: [intent] }
      byGroup.set(group, [...own, batch])
      all.push(batch)
    }
  }
  return all
}
