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

/**
 * Puts intents, the longest waiting first, into as few transactions as hold them, at most `most` for each account that
 * pays. Those that were let go because another one failed share no transaction with others that nobody has tried yet: so
 * whatever keeps coming, each failure leaves fewer behind.
 */
export const batchesOf = (waiting: Iterable<Found<IntentRow>>, most: number): ReadonlyArray<Batch> => {
  const all: Array<Growing> = []
  const byGroup = new Map<string, Array<Growing>>()
  for (const intent of waiting) {
    const { merchantId, environment, row } = intent
    const { source, class: of } = row.details
    const group = [merchantId, source, of, row.bystandings].join()
    const own = byGroup.get(group) ?? []
    const last = own.at(-1)
    if (last !== undefined && last.intents.length < PAYOUTS_AT_ONCE) last.intents.push(intent)
    else if (own.length < most) {
      const batch: Growing = { merchantId, environment, source, class: of, intents: [intent] }
      byGroup.set(group, [...own, batch])
      all.push(batch)
    }
  }
  return all
}
