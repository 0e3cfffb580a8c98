import {
  type DetachReason,
  endedAs,
  type IntentCommand,
  type IntentId,
  type LedgerTransactionState,
  OperationIndex,
  type TransactionEnd,
} from '@quittance/domain'
import { classifyOperation } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../decode.ts'
import type { ExecuteFailure } from '../execute.ts'
import { withoutRejection } from '../processes/steps.ts'
import { toSequence } from './sequence.ts'
import { type Ours, type Outgoing, toIntent, toTransaction } from './walk.ts'

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
      const told = await tellIntents(outgoing, ours, details.intents, end)
      if (E.isLeft(told)) return told
    }
    const closed = await toTransaction(outgoing, ours, 'close', { type: 'CloseTransaction' })()
    return E.map(() => undefined)(withoutRejection(closed))
  }

const tellIntents = async (
  outgoing: Outgoing,
  ours: Ours,
  intents: ReadonlyArray<IntentId>,
  end: TransactionEnd,
): Promise<E.Either<ExecuteFailure, void>> => {
  for (const [index, id] of intents.entries()) {
    const told = withoutRejection(await toIntent(outgoing, ours, id, commandFor(ours, end, index))())
    if (E.isLeft(told)) return told
  }
  return E.right(undefined)
}

const commandFor = ({ hash }: Ours, end: TransactionEnd, index: number): IntentCommand => {
  const operationIndex = decodeOrThrow(OperationIndex, index)
  const letGo = (reason: DetachReason): IntentCommand => ({ type: 'DetachIntent', transactionHash: hash, reason })
  switch (end._tag) {
    case 'withdrawn':
    case 'dead':
      return letGo(end._tag)
    case 'succeeded': {
      const { transactionHash, ledger, closedAt } = end
      return { type: 'SettleIntent', attachedTo: hash, transactionHash, operationIndex, ledger, closedAt }
    }
    case 'decided': {
      const { closedAt } = end
      if (end.as !== 'succeeded') return letGo(end.as === 'dead' ? 'dead' : 'transaction_failed')
      return {
        type: 'SettleIntent',
        attachedTo: hash,
        transactionHash: hash,
        operationIndex,
        ledger: end.ledger,
        closedAt,
      }
    }
    case 'failed': {
      const { transactionHash, ledger, closedAt, operationCodes } = end
      const code = operationCodes[index]
      if (code === undefined || operationCodes.every((each) => classifyOperation(each) === null))
        return letGo('transaction_failed')
      if (classifyOperation(code) === null) return letGo('another_failed')
      return { type: 'RefuseIntent', attachedTo: hash, transactionHash, operationIndex, ledger, closedAt, code }
    }
  }
}
