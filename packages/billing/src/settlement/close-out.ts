import { endedAs, type LedgerTransactionState, type TransactionDetails, type TransactionEnd } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ExecuteFailure } from '../execute.ts'
import { withoutRejection } from '../processes/steps.ts'
import { severalAtOnce } from '../several-at-once.ts'
import { commandFor } from './intent-ends.ts'
import { toSequence } from './sequence.ts'
import { intentsAtOnce, type Ours, type Outgoing, toIntent, toTransaction } from './walk.ts'

type Ended = Extract<LedgerTransactionState, { readonly end: TransactionEnd }>

/** Tells the number and the intents of a transaction how that ended, and closes it, last. */
export const closeOut =
  (outgoing: Outgoing, ours: Ours, { details, end }: Ended): TE.TaskEither<ExecuteFailure, void> =>
  async () => {
    const isUnused = ['withdrawn', 'dead'].includes(endedAs(end))
    const number = withoutRejection(
      await toSequence(outgoing, ours, details, isUnused ? 'FreeSequence' : 'UseSequence')(),
    )
    if (E.isLeft(number)) return number
    // The number comes before any intent: one that never had it has none, and cannot get it any more.
    if (number.right.state.takers.includes(ours.hash) || !isUnused) {
      const told = await tellIntents(outgoing, ours, details, end)
      if (E.isLeft(told)) return told
    }
    const closed = await toTransaction(outgoing, ours, 'close', { type: 'CloseTransaction' })()
    return E.map(() => undefined)(withoutRejection(closed))
  }

const tellIntents = async (
  outgoing: Outgoing,
  ours: Ours,
  { class: of, intents }: TransactionDetails,
  end: TransactionEnd,
): Promise<E.Either<ExecuteFailure, void>> =>
  severalAtOnce(intents.entries(), intentsAtOnce, async ([index, id]) =>
    withoutRejection(await toIntent(outgoing, ours, id, commandFor(of, intents.length)(ours, end, index))()),
  )
