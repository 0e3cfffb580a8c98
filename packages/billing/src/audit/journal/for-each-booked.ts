import { setImmediate as letOthersWork } from 'node:timers/promises'
import { type AccountId, type Environment, LedgerTransaction, Merchant, type RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { type Booked, bookEvent } from './book-event.ts'
import { journalPrefixes } from './journal-facts.ts'
import { recordedValues } from './recorded-values.ts'

/**
 * Whose events are read, from which position of the log on, until one of the environment that was recorded at a time, and how
 * many at most; null is no bound. `ownerOf` names the merchant that is paid at an account.
 */
export type BookedScope = {
  readonly environment: Environment
  readonly setUpBalance: bigint
  readonly merchants: ReadonlySet<string>
  readonly ownerOf: ReadonlyMap<AccountId, string>
  readonly after: bigint
  readonly until: number | null
  readonly mostRead: number | null
}

/** Whether to go on. */
export type Visit = (recorded: RecordedEvent, booked: Booked | null) => Promise<E.Either<StoreUnavailable, boolean>>

const atOnce = 100

/**
 * Reads the events that books can be about, with what each of them does to the accounts of a merchant. Answers the position at
 * which it stopped; null at the end of the log, or of the time. Events of others count as read. `passed` hears the position.
 */
export const forEachBooked = async (
  store: Services['store'],
  scope: BookedScope,
  visit: Visit,
  passed: (position: bigint) => void = () => undefined,
): Promise<E.Either<StoreUnavailable, bigint | null>> => {
  const facts = { store, ...scope, values: recordedValues(store) }
  let read = 0
  try {
    for await (const recorded of store.readAll(scope.after, { streamPrefixes: journalPrefixes })) {
      if (isPast(scope, recorded)) return E.right(null)
      if (++read % atOnce === 0) await letOthersWork()
      passed(recorded.position)
      if (isWanted(scope, recorded)) {
        const booked = await bookEvent(facts, recorded)
        if (E.isLeft(booked)) return booked
        const isOfScope = booked.right !== null && scope.merchants.has(booked.right.merchantId)
        const goesOn = await visit(recorded, isOfScope ? booked.right : null)
        if (E.isLeft(goesOn)) return goesOn
        if (!goesOn.right) return E.right(recorded.position)
      }
      if (read === scope.mostRead) return E.right(recorded.position)
    }
  } catch (cause) {
    return E.left({ _tag: 'StoreUnavailable', cause })
  }
  return E.right(null)
}

const isPast = ({ until, environment }: BookedScope, { recordedAt, metadata }: RecordedEvent): boolean =>
  until !== null && metadata.environment === environment && recordedAt >= until

/**
 * Whether an event can be of these merchants' books. What fees were taken for may be the platform's, and a merchant's own
 * events are about both environments.
 */
const isWanted = ({ merchants, environment }: BookedScope, { stream, metadata }: RecordedEvent): boolean => {
  if (!merchants.has(metadata.merchantId) && !stream.startsWith(`${LedgerTransaction.category}-`)) return false
  return metadata.environment === environment || stream.startsWith(`${Merchant.category}-`)
}
