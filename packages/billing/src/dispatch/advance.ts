import { type LedgerTransactionState, OperationIndex, type WithdrawReason } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { holdsFrozen } from '../features/outgoing/frozen.ts'
import { isRefusalOpen } from '../features/outgoing/intent-ends.ts'
import {
  intentsAtOnce,
  itemsOf,
  leastLeftMs,
  type Ours,
  type Outgoing,
  toIntent,
  toTransaction,
  transactionNow,
} from '../features/outgoing/outgoing.ts'
import { holdsListed } from '../features/outgoing/screened.ts'
import { takeSequence } from '../features/outgoing/sequence.ts'
import type { ChannelAccount } from '../features/outgoing/signing-accounts.ts'
import { whileWaiting } from '../features/outgoing/waiting.ts'
import { isPayoutCovered } from '../features/payouts/covered.ts'
import { areRefundsCovered } from '../features/refunds/covered.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import { closeOut } from './close-out.ts'
import { doesFailureStand, findOutcome } from './find-outcome.ts'
import { submitBytes } from './send.ts'

type State<Status extends LedgerTransactionState['status']> = Extract<LedgerTransactionState, { status: Status }>

/**
 * Advances a transaction as far as the ingested ledgers allow: takes its account sequence, attaches its intents,
 * releases and sends it, finds its outcome, ends its intents, and closes it. Each step depends on the transaction
 * alone, so any process can continue where another one died, and two can advance it at once.
 */
export const advance = async (
  outgoing: Outgoing,
  channels: ReadonlyArray<ChannelAccount>,
  ours: Ours,
): Promise<E.Either<ProcessFailure, void>> => {
  const found = await transactionNow(outgoing.services, ours)
  if (E.isLeft(found)) return found
  let state = found.right
  for (;;) {
    switch (state.status) {
      case 'absent':
      case 'closed':
        return E.right(undefined)
      case 'prepared': {
        const next = await releaseOrWithdraw(outgoing, ours, state)
        if (E.isLeft(next)) return next
        state = next.right
        break
      }
      case 'released': {
        const isOver = outgoing.ingested.closedAt > state.details.maxTime
        const next = isOver
          ? await findOutcome(outgoing, ours, state)
          : await submitBytes(outgoing, channels, ours, state)
        if (E.isLeft(next) || next.right === null) return E.map(() => undefined)(next)
        state = next.right
        break
      }
      case 'failed': {
        const stands = await doesFailureStand(outgoing, ours, state)
        if (E.isLeft(stands)) return stands
        return stands.right ? closeOut(outgoing, ours, state) : E.right(undefined)
      }
      case 'succeeded':
        return isRefusalOpen(state.end, outgoing.ingested) ? E.right(undefined) : closeOut(outgoing, ours, state)
      case 'withdrawn':
      case 'dead':
      case 'decided':
        return closeOut(outgoing, ours, state)
    }
  }
}

/** Releases or withdraws a prepared transaction. Answers its new state, which another process may have caused. */
const releaseOrWithdraw = async (
  outgoing: Outgoing,
  ours: Ours,
  state: State<'prepared'>,
): Promise<E.Either<ProcessFailure, LedgerTransactionState>> => {
  const obstacle = await obstacleOf(outgoing, ours, state)
  if (E.isLeft(obstacle)) return obstacle
  const reason = obstacle.right
  const expected = ['TransactionIsReleased', 'TransactionHasEnded'] as const
  const decided =
    reason === null
      ? await toTransaction(outgoing, ours, expected, 'release', { type: 'ReleaseTransaction' })
      : await toTransaction(outgoing, ours, expected, 'withdraw', { type: 'WithdrawTransaction', reason })
  return E.isLeft(decided) ? decided : transactionNow(outgoing.services, ours)
}

/** Takes the account sequence and attaches every intent. Answers why the transaction cannot be sent; null if it can. */
const obstacleOf = async (
  outgoing: Outgoing,
  ours: Ours,
  { details }: State<'prepared'>,
): Promise<E.Either<ProcessFailure, WithdrawReason | null>> => {
  if (outgoing.ingested.closedAt + leastLeftMs > details.maxTime) return E.right('out_of_time')
  const frozen = await holdsFrozen(outgoing, ours, details)
  if (E.isLeft(frozen)) return frozen
  if (frozen.right) return E.right('frozen')
  const listed = await holdsListed(outgoing, details)
  if (E.isLeft(listed)) return listed
  if (listed.right) return E.right('frozen')
  const taken = await takeSequence(outgoing, ours, details)
  if (E.isLeft(taken)) return taken
  if (!taken.right) return E.right('sequence_taken')
  let attached = 0
  const { services } = outgoing
  const done = await eachIsolated(services, ours.environment, {
    loop: 'attach',
    items: await itemsOf(services, ours, details.intents),
    again: whileWaiting(services),
    work: async ({ id, index }) => {
      const operationIndex = decodeOrThrow(OperationIndex, index)
      const command = { type: 'AttachIntent' as const, transactionHash: ours.hash, operationIndex }
      const expected = ['IntentIsAttached', 'IntentWasDetached', 'IntentHasEnded'] as const
      const own = await toIntent(outgoing, ours, expected, id, command)
      if (E.isRight(own) && own.right !== null) attached += 1
      return own
    },
    atOnce: intentsAtOnce,
  })
  // An intent that cannot be read may belong to another transaction, so the others go in a later one.
  if (E.isLeft(done)) return done
  if (attached < details.intents.length) return E.right('intent_taken')
  return E.right((await isShort(outgoing, ours, details)) ? 'insufficient_funds' : null)
}

/** Whether the money of payouts or refunds has been claimed since they were chosen. They then wait again. */
const isShort = async (
  outgoing: Outgoing,
  ours: Ours,
  { class: of, intents }: State<'prepared'>['details'],
): Promise<boolean> => {
  const { services } = outgoing
  if (of === 'refund') return !(await areRefundsCovered(outgoing, ours, intents))
  if (of !== 'payout') return false
  for (const id of intents) if (!(await isPayoutCovered(services, id))) return true
  return false
}
