import type { AccountId, IntentClass } from '@quittance/domain'
import type { Found, IntentRow, Scope } from '@quittance/projections'
import { platform } from '../kernel/platform.ts'

/**
 * Intents that can share a transaction: those of one merchant, or charges of many merchants in a call of the platform.
 */
export type Batch = Scope & {
  readonly source: AccountId
  readonly class: IntentClass
  readonly intents: ReadonlyArray<Found<IntentRow>>
}

type Growing = Batch & { readonly intents: Array<Found<IntentRow>> }

/**
 * The most charges in one call. A call reaches the network's limit of written entries first: each charge writes three
 * (the mandate, the allowance, the customer's balance).
 */
const chargesAtOnce = 32

/** One operation begins a sponsorship, another one ends it. */
const sponsorsOperations = 2

/**
 * How many transactions can be sent at once, for each paying account and in total, and how many `operations` a
 * transaction that calls no contract may hold.
 */
export type Room = { readonly each: number; readonly all: number; readonly operations: number }

/** The search ends after so many intents in a row that fit nowhere. */
const mostMisfits = 1_000

/**
 * Puts intents, in the given order, into as few transactions as possible, and reads few more intents than fit. Intents
 * with collateral failures share no transaction with intents that were never tried, so new intents cannot delay them
 * for ever. A failed call does not say which charge made it fail: half as many share the next call, until each is
 * alone.
 */
export const batchesOf = async (
  waiting: Iterable<Found<IntentRow>> | AsyncIterable<Found<IntentRow>>,
  room: Room,
): Promise<ReadonlyArray<Batch>> => {
  const all: Array<Growing> = []
  const byGroup = new Map<string, Array<Growing>>()
  let full = 0
  let misfits = 0
  for await (const intent of waiting) {
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

/** The group of intents that may share a transaction with an intent, and the most that may share one. */
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
    case 'rotate_key':
      return { merchantId, group: [action.to], most: 1 }
    case 'set_recovery_signer':
      return { merchantId, group: [action.signer], most: 1 }
    case 'keep_contract':
      return { merchantId, group: [action.contractId], most: 1 }
    case 'anchor':
      return { merchantId, group: [action.checkpoint], most: 1 }
  }
}
