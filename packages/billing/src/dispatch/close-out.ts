import {
  endedAs,
  endOf,
  type IntentId,
  type LedgerTransactionState,
  type TransactionDetails,
  type TransactionEnd,
} from '@quittance/domain'
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
import { everyInTurn } from '../kernel/checks-in-turn.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Item } from '../stores/setbacks/setbacks.ts'

type Closing = Pick<Outgoing, 'services' | 'ingested'>
type Ended = Extract<LedgerTransactionState, { readonly end: TransactionEnd }>

/** Ends the account sequence and the intents of an ended transaction, then closes it. */
export const closeOut = async (
  outgoing: Closing,
  ours: Ours,
  { details, end }: Ended,
): Promise<E.Either<ProcessFailure, void>> => {
  const isUnused = ['withdrawn', 'dead'].includes(endedAs(end))
  const number = await endSequence(outgoing, ours, details, isUnused ? 'FreeSequence' : 'UseSequence')
  if (E.isLeft(number)) return number
  if (details.operations !== undefined) {
    // Ingestion settles the intents of a transaction that the log had lost.
    if (!(await everyInTurn(details.intents, (id) => isEnded(outgoing.services, id)))) return E.right(undefined)
  } else if (number.right?.state.takers.includes(ours.hash) || !isUnused) {
    // A transaction takes its account sequence before any intent: without one it never had intents.
    const areEnded = await endIntents(outgoing, ours, details, end)
    if (E.isLeft(areEnded)) return areEnded
    // The transaction stays open, and the next attempt retries the intents that failed.
    if (!areEnded.right) return E.right(undefined)
  }
  const closed = await toTransaction(outgoing, ours, [], 'close', { type: 'CloseTransaction' })
  return E.isLeft(closed) ? closed : E.right(undefined)
}

const isEnded = async ({ readModels }: Pick<Outgoing['services'], 'readModels'>, id: IntentId): Promise<boolean> => {
  const intent = await readModels.intents.withId(id)
  return intent !== null && endOf(intent.row) !== null
}

/** Ends each intent by itself. Answers whether all of them are ended. */
const endIntents = async (
  outgoing: Closing,
  ours: Ours,
  { class: of, intents }: TransactionDetails,
  end: TransactionEnd,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { services } = outgoing
  let ended = 0
  const done = await eachIsolated(services, ours.environment, {
    loop: 'close_out',
    items: await itemsOf(services, ours, intents),
    again: whileAttached(services),
    work: async ({ id, index }) => {
      const recorded = await toIntent(outgoing, ours, [], id, commandFor(of, intents.length)(ours, end, index))
      if (E.isRight(recorded)) ended += 1
      return recorded
    },
    atOnce: intentsAtOnce,
  })
  return E.map(() => ended === intents.length)(done)
}

/** An intent whose end could not be recorded keeps its setback while it is attached. */
export const whileAttached =
  ({ readModels }: Pick<Outgoing['services'], 'readModels'>) =>
  async ({ id }: Item): Promise<null | undefined> =>
    (await readModels.intents.withId(id))?.row.status === 'attached' ? undefined : null
