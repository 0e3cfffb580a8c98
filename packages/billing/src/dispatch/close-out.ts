import { endedAs, type LedgerTransactionState, type TransactionDetails, type TransactionEnd } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { commandFor } from '../features/outgoing/intent-ends.ts'
import {
  intentsAtOnce,
  itemsOf,
  type Ours,
  type Outgoing,
  toIntent,
  toTransaction,
} from '../features/outgoing/outgoing.ts'
import { endSequence } from '../features/outgoing/sequence.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Item } from '../stores/setbacks/setbacks.ts'

type Ended = Extract<LedgerTransactionState, { readonly end: TransactionEnd }>

/** Tells the number and the intents of a transaction how that ended, and closes it, last. */
export const closeOut = async (
  outgoing: Outgoing,
  ours: Ours,
  { details, end }: Ended,
): Promise<E.Either<ProcessFailure, void>> => {
  const isUnused = ['withdrawn', 'dead'].includes(endedAs(end))
  const number = await endSequence(outgoing, ours, details, isUnused ? 'FreeSequence' : 'UseSequence')
  if (E.isLeft(number)) return number
  // The number comes before any intent: one that never had it has none, and cannot get it any more.
  if (number.right.state.takers.includes(ours.hash) || !isUnused) {
    const told = await tellIntents(outgoing, ours, details, end)
    if (E.isLeft(told)) return told
    // Who could not be told is tried again with the transaction; the others have heard.
    if (!told.right) return E.right(undefined)
  }
  const closed = await toTransaction(outgoing, ours, [], 'close', { type: 'CloseTransaction' })
  return E.isLeft(closed) ? closed : E.right(undefined)
}

/** Tells each by itself; whether all of them have heard. */
const tellIntents = async (
  outgoing: Outgoing,
  ours: Ours,
  { class: of, intents }: TransactionDetails,
  end: TransactionEnd,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { services } = outgoing
  let told = 0
  const done = await eachIsolated(services, ours.environment, {
    loop: 'close_out',
    items: itemsOf(services, ours, intents),
    again: whileAttached(services),
    work: async ({ id, index }) => {
      const heard = await toIntent(outgoing, ours, [], id, commandFor(of, intents.length)(ours, end, index))
      if (E.isRight(heard)) told += 1
      return heard
    },
    atOnce: intentsAtOnce,
  })
  return E.map(() => told === intents.length)(done)
}

/** An intent that could not be told of an end is met again as long as it stands in a transaction. */
export const whileAttached =
  ({ readModels }: Pick<Outgoing['services'], 'readModels'>) =>
  ({ id }: Item): null | undefined =>
    readModels.intents.withId(id)?.row.status === 'attached' ? undefined : null
