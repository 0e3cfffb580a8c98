import { ExceptionId, Intent, IntentId, RefundId } from '@quittance/domain'
import type { Movement } from '@quittance/ledger'
import type { Found, IntentRow, ReadModels, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { isIn, type StoreUnavailable } from '../../kernel/load.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Owner, Owners } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import { bookedOwnMovement } from './booked-movement.ts'

/** The intent ended otherwise, or another transaction holds it. */
const endedOtherwise = ['IntentIsAttached', 'IntentWasDetached', 'IntentHasEnded'] as const

/**
 * The intent that a payment from a merchant's own account settles: the memo names the refund or the exception, and the
 * amount, asset and destination match. Null for every other movement.
 */
export const intentPaidBy = async (
  readModels: Pick<ReadModels, 'intents' | 'exceptions'>,
  owner: Owner,
  movement: Movement,
): Promise<Found<IntentRow> | null> => {
  const { _tag, account, assetId, delta, counterparty, memo } = movement
  if (owner.custody !== 'merchant' || _tag !== 'payment' || delta >= 0n) return null
  if (memo._tag !== 'text' || counterparty?._tag !== 'account') return null
  const found = await intentNamed(readModels, owner, memo.value)
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

/** The memo names a refund by its id, and a return by the id of its exception, of which the last return counts. */
const intentNamed = async (
  { intents, exceptions }: Pick<ReadModels, 'intents' | 'exceptions'>,
  scope: Scope,
  memo: string,
): Promise<Found<IntentRow> | null> => {
  const exception = ExceptionId.is(memo) ? await exceptions.withId(memo) : null
  const owner = RefundId.is(memo) ? memo : (exception?.row.moneyReturn?.returnId ?? null)
  return owner === null ? null : ((await intents.withKey(owner)).find((intent) => isIn(scope, intent)) ?? null)
}

/**
 * Settles intents that wait for a signature by the payments in a closed ledger, whoever built their transactions: the
 * first matching payment settles an intent, a later one settles nothing. Ingested again, it writes nothing twice.
 */
export const settlePaidByHand = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  ownerOf: Owners,
  { movements }: { readonly movements: ReadonlyArray<Movement> },
): Promise<E.Either<ExecuteFailure | StoreUnavailable, void>> => {
  const byHand = (
    await Promise.all(
      movements.map(async (movement) => {
        const owner = await ownerOf(movement.account)
        return owner?.custody === 'merchant' && movement.delta < 0n ? [{ owner, movement }] : []
      }),
    )
  ).flat()
  if (byHand.length === 0) return E.right(undefined)
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  for (const { owner, movement } of byHand) {
    const intent = await intentPaidBy(services.readModels, owner, movement)
    // A movement that was booked as the merchant's own before the intent existed stays so.
    const isBooked = (await bookedOwnMovement(services.readModels, owner, movement)) !== null
    if (intent === null || movement.operationIndex === null || isBooked) continue
    const { transactionHash, innerHash, operationIndex, ledger, closedAt } = movement
    const id = decodeOrThrow(IntentId, intent.id)
    const settlement = { attachedTo: innerHash ?? transactionHash, transactionHash, operationIndex, ledger, closedAt }
    const cause = `${owner.environment}/${id}/${transactionHash}/${operationIndex}`
    const context = stepContext(owner, cause, 'paid by hand', closedAt)
    const decide = Intent.decider.decide({ type: 'SettleIntent', ...settlement })
    const settled = await stepUnless(services.store)(endedOtherwise, Intent, id, context, decide)
    if (E.isLeft(settled)) return settled
  }
  return E.right(undefined)
}
