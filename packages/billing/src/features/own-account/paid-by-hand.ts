import { ExceptionId, Intent, IntentId, RefundId } from '@quittance/domain'
import type { Movement } from '@quittance/ledger'
import type { Found, IntentRow, ReadModels, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type ExecuteFailure, stepUnless } from '../../kernel/execute.ts'
import { isIn, type StoreUnavailable } from '../../kernel/load.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Owner, Owners } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import { bookedOwnMovement } from './booked-movement.ts'

/** The intent ended otherwise, or another transaction holds it. */
const endedOtherwise = ['IntentIsAttached', 'IntentWasDetached', 'IntentHasEnded'] as const

/**
 * The intent that a payment out of a merchant's own account makes good: its memo names the refund or the exception, and it
 * pays the wanted amount of the wanted asset to the wanted address. Null for every other movement.
 */
export const intentPaidBy = (
  readModels: Pick<ReadModels, 'intents' | 'exceptions'>,
  owner: Owner,
  movement: Movement,
): Found<IntentRow> | null => {
  const { _tag, account, assetId, delta, counterparty, memo } = movement
  if (owner.custody !== 'merchant' || _tag !== 'payment' || delta >= 0n) return null
  if (memo._tag !== 'text' || counterparty?._tag !== 'account') return null
  const found = intentNamed(readModels, owner, memo.value)
  if (found === null || found.row.details.source !== account) return null
  const { action } = found.row.details
  const isWanted =
    action._tag === 'payment' &&
    action.assetId === assetId &&
    action.amount === -delta &&
    action.destination === counterparty.account &&
    (action.destinationMuxedId ?? null) === counterparty.muxedId
  return isWanted ? found : null
}

/** A refund is named by its id, a return by the exception that it ends: by what the last one tried. */
const intentNamed = (
  { intents, exceptions }: Pick<ReadModels, 'intents' | 'exceptions'>,
  scope: Scope,
  memo: string,
): Found<IntentRow> | null => {
  const exception = ExceptionId.is(memo) ? exceptions.withId(memo) : null
  const owner = RefundId.is(memo) ? memo : (exception?.row.moneyReturn?.returnId ?? null)
  return owner === null ? null : (intents.withKey(owner).find((intent) => isIn(scope, intent)) ?? null)
}

/**
 * Settles what waits for a signature by the payments that a closed ledger holds, whoever has built their transactions: the
 * first that fits settles an intent, and a later one settles nothing. Walked again, it writes nothing twice.
 */
export const settlePaidByHand = async (
  services: Services,
  ownerOf: Owners,
  {
    movements,
  }: {
    readonly movements: ReadonlyArray<Movement>
  },
): Promise<E.Either<ExecuteFailure | StoreUnavailable, void>> => {
  const byHand = movements.flatMap((movement) => {
    const owner = ownerOf(movement.account)
    return owner?.custody === 'merchant' && movement.delta < 0n ? [{ owner, movement }] : []
  })
  if (byHand.length === 0) return E.right(undefined)
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  for (const { owner, movement } of byHand) {
    const intent = intentPaidBy(services.readModels, owner, movement)
    // What was booked as the merchant's own doing before the intent was there stays that.
    const isBooked = bookedOwnMovement(services.readModels, owner, movement) !== null
    if (intent === null || movement.operationIndex === null || isBooked) continue
    const { transactionHash, innerHash, operationIndex, ledger, closedAt } = movement
    const id = decodeOrThrow(IntentId, intent.id)
    const place = { attachedTo: innerHash ?? transactionHash, transactionHash, operationIndex, ledger, closedAt }
    const cause = `${owner.environment}/${id}/${transactionHash}/${operationIndex}`
    const context = stepContext(owner, cause, 'paid by hand', closedAt)
    const decide = Intent.decider.decide({ type: 'SettleIntent', ...place })
    const settled = await stepUnless(services.store)(endedOtherwise, Intent, id, context, decide)
    if (E.isLeft(settled)) return settled
  }
  return E.right(undefined)
}
