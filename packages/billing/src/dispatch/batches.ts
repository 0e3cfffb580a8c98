import type { AccountId, IntentClass } from '@quittance/domain'
import type { Found, IntentRow, Scope } from '@quittance/projections'
import { platform } from '../kernel/platform.ts'

/** Intents that can share a transaction: of one merchant, or charges of many, whose call is the platform's. */
export type Batch = Scope & {
  readonly source: AccountId
  readonly class: IntentClass
  readonly intents: ReadonlyArray<Found<IntentRow>>
}

type Growing = Batch & { readonly intents: Array<Found<IntentRow>> }

/**
 * The most charges that are tried in one call: of a network's limits, which a simulation is held against, what it writes
 * is met first, three entries for each (the mandate, the allowance, what the customer holds).
 */
const chargesAtOnce = 32

/** The operations that begin and end a sponsorship, beside those that it is for. */
const sponsorsOperations = 2

/**
 * How many transactions can be made at once: for each account that pays, and of all together; and how many `operations`
 * one may hold that calls no contract.
 */
export type Room = { readonly each: number; readonly all: number; readonly operations: number }

/** So many in a row for which there is no room are enough: nobody knows whether one will come for which there is. */
const mostMisfits = 1_000

/**
 * Puts intents, in the order given, into as few transactions as hold them, and looks at few more of them than there
 * is room for. Those that were let go because another one failed share no transaction with others that nobody has tried
 * yet: so whatever keeps coming, each failure leaves fewer behind. A call of charges that came to nothing does not say
 * whose fault it was: half as many share the next, and in the end each is alone.
 */
export const batchesOf = (waiting: Iterable<Found<IntentRow>>, room: Room): ReadonlyArray<Batch> => {
  const all: Array<Growing> = []
  const byGroup = new Map<string, Array<Growing>>()
  let full = 0
  let misfits = 0
  for (const intent of waiting) {
    if (full === room.all || misfits === mostMisfits) break
    misfits += 1
    const { environment, row } = intent
    const { source, class: of } = row.details
    const { merchantId, group, most } = sharing(intent, room.operations)
    const key = [merchantId, source, of, ...group].join()
    const own = byGroup.get(key) ?? []
    const last = own.at(-1)
    if (last !== undefined && last.intents.length < most) {
      last.intents.push(intent)
      misfits = 0
      full += last.intents.length === most ? 1 : 0
    } else if (own.length < room.each && all.length < room.all) {
      const batch: Growing = { merchantId, environment, source, class: of, intents: [intent] }
      byGroup.set(key, [...own, batch])
      all.push(batch)
      misfits = 0
      full += most === 1 ? 1 : 0
    }
  }
  return all
}

/** With which others of its account an intent may be in a transaction, and how many there may be in it. */
const sharing = (
  { merchantId, row: { details, attempts, collateralFailures } }: Found<IntentRow>,
  operations: Room['operations'],
) => {
  const { action } = details
  switch (action._tag) {
    case 'payment':
      // A payout has a memo of its own.
      return { merchantId, group: [collateralFailures], most: details.class === 'payout' ? 1 : operations }
    case 'charge':
      return {
        merchantId: platform,
        group: [action.contractId, attempts],
        most: Math.max(1, chargesAtOnce >> attempts),
      }
    case 'mandate_cancellation':
      return { merchantId: platform, group: [action.mandateId], most: 1 }
    case 'change_trust':
      return {
        merchantId,
        group: [collateralFailures, action.sponsor ?? ''],
        most: Math.max(1, operations - (action.sponsor === undefined ? 0 : sponsorsOperations)),
      }
    case 'create_account':
      return { merchantId, group: [action.account], most: 1 }
  }
}
