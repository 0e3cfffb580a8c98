import {
  type AccountId,
  type AssetId,
  asText,
  type Environment,
  Payout,
  PayoutBook,
  type PayoutBookState,
  type PayoutClaim,
  type PayoutId,
  type RecordedEvent,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { Executed } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { assetOfBook, bookId } from '../../kernel/payout-book.ts'
import { step } from '../../kernel/step.ts'
import { processActor, stepContextOf } from '../../kernel/step-context.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { admit } from '../limits/admit.ts'
import { isAwaiting } from '../limits/approval-of.ts'
import type { LimitServices } from '../limits/services.ts'
import { recordIntent } from '../outgoing/record-intent.ts'
import { endPayout } from './end.ts'
import type { PayoutServices } from './services.ts'

/** Resumes every claimed payout of an environment: a crash may have come after any step. */
export const resumePayouts = (
  services: PayoutServices,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> =>
  eachIsolated(services, environment, {
    loop: 'payouts',
    items: services.readModels.payoutClaims.due(environment, Number.MAX_SAFE_INTEGER),
    again: ({ id }) => services.readModels.payoutClaims.withId(id),
    work: ({ merchantId, id, row }) => resumeAll(services, { merchantId, environment }, assetOfBook(id), row.claims),
  })

const resumeAll = async (
  services: LimitServices,
  scope: Scope,
  assetId: AssetId,
  claims: ReadonlyArray<PayoutClaim>,
): Promise<E.Either<ProcessFailure, void>> => {
  for (const { payoutId } of claims) {
    // Once its intent is recorded, the worker brings it to its end and tells the payout.
    if (
      (await services.readModels.intents.withKey(payoutId)).length > 0 ||
      (await isAwaiting(services, scope, payoutId))
    )
      continue
    const resumed = await resumePayout(services, scope, assetId, payoutId)
    if (E.isLeft(resumed)) return resumed
  }
  return E.right(undefined)
}

export const resumePayout = async (
  services: LimitServices,
  scope: Scope,
  assetId: AssetId,
  payoutId: PayoutId,
): Promise<E.Either<ProcessFailure, void>> => {
  const book = await stateOf(services.store)(PayoutBook, bookId(scope, assetId))
  return E.isLeft(book) ? book : resumeClaim(services, scope, book.right, payoutId)
}

/**
 * Brings a claimed payout forward from wherever it stands: requested, within the limits or approved, the intent to pay
 * recorded; or ended, where nobody has approved it. The id of each step derives from the payout, so any process can do this again at any time, also after the end, and writes only what is missing.
 */
export const resumeClaim = async (
  services: LimitServices,
  scope: Scope,
  book: Executed<PayoutBookState>,
  payoutId: PayoutId,
): Promise<E.Either<ProcessFailure, void>> => {
  const claim = book.state.claims.find((each) => each.payoutId === payoutId)
  if (claim === undefined) return E.right(undefined)
  const { details, claimedAt: requestedAt } = claim
  const requested = await requestClaimed(services, scope, claim)
  if (E.isLeft(requested)) return requested
  const { assetId, amount, target } = details
  const { address: destination, memo, muxedId } = target
  const outgoing = { subject: payoutId, actor: actorOf(book.events, payoutId), assetId, amount, destination }
  // The operator's fees are no money that a thief could take: they go to the operator's account alone.
  const admission =
    details.purpose === undefined
      ? await admit(services, scope, { ...outgoing, requestedAt })
      : E.right({ _tag: 'Goes' as const, at: requestedAt })
  if (E.isLeft(admission)) return admission
  if (admission.right._tag === 'Waits') return E.right(undefined)
  const { at } = admission.right
  if (admission.right._tag === 'Refused')
    return endPayout(
      services,
      scope,
      payoutId,
      admission.right.isWithdrawn
        ? { type: 'CancelPayout', at }
        : { type: 'FailPayout', reason: 'not_approved', code: null, at },
    )
  const source = await sourceOf(services, scope, claim)
  if (E.isLeft(source)) return source
  const muxed = muxedId === undefined ? {} : { destinationMuxedId: muxedId }
  const intent = await recordIntent(services, scope, {
    class: 'payout',
    owner: asText(payoutId),
    source: source.right,
    action: { _tag: 'payment', destination, assetId, amount, ...muxed },
    memo: memo?.type === 'text' ? memo.value : null,
    ...(memo?.type === 'id' ? { memoId: memo.value } : {}),
    at,
  })
  return E.isLeft(intent) ? intent : E.right(undefined)
}

/** Who has requested a payout; of a scheduled one, whoever has set the schedule. */
const actorOf = (events: ReadonlyArray<RecordedEvent>, payoutId: PayoutId): string => {
  const at = events.findIndex(({ type, data }) => type === 'PayoutClaimed' && data.payoutId === payoutId)
  const claimed = events[at]
  if (claimed === undefined) throw new Error(`${payoutId} has no claim`)
  const { actor } = claimed.metadata
  if (actor !== processActor) return actor
  const schedule = events.slice(0, at).findLast(({ type }) => type === 'PayoutScheduleSet')
  return schedule?.metadata.actor ?? actor
}

/** Opens the stream of a claimed payout. */
export const requestClaimed = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  { payoutId, details, claimedAt }: PayoutClaim,
): Promise<E.Either<ProcessFailure, void>> => {
  const context = stepContextOf(scope, payoutId, 'request', claimedAt)
  const decide = Payout.decider.decide({ type: 'RequestPayout', ...details })
  const requested = await step(store)(Payout, payoutId, context, decide)
  return E.isLeft(requested) ? requested : E.right(undefined)
}

/** The merchant may have named another settlement account since the claim. Claims that do not say are paid from that one. */
const sourceOf = async (
  services: Pick<Services, 'settlementOf'>,
  { merchantId, environment }: Scope,
  { source }: PayoutClaim,
): Promise<E.Either<ProcessFailure, AccountId>> => {
  if (source !== undefined) return E.right(source)
  const settlement = await services.settlementOf(merchantId, environment)()
  return E.isLeft(settlement) ? settlement : E.right(settlement.right.account)
}
