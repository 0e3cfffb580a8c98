import {
  asText,
  type Environment,
  type MuxedId,
  PaymentId,
  Refund,
  type RefundDetails,
  type RefundId,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { step } from '../../kernel/execute.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { withoutRejection } from '../../services/steps.ts'
import { recordIntent } from '../outgoing/record-intent.ts'
import { paymentNow } from '../payments/payment-now.ts'
import { takeCreditsBack } from './bought-credits.ts'
import { endRefund } from './end.ts'
import { muxedIdOf } from './muxed-payer.ts'

/** Carries on every refund of an environment that is claimed: a crash may have come after any step. */
export const resumeRefunds = (services: Services, environment: Environment): Promise<E.Either<ProcessFailure, void>> =>
  eachIsolated(services, environment, {
    loop: 'refunds',
    items: services.readModels.refundClaims.due(environment, Number.MAX_SAFE_INTEGER),
    again: ({ id }) => services.readModels.refundClaims.withId(id),
    work: async ({ merchantId, id, row }) =>
      row.claim === null || isOnItsWay(services, row.claim.refundId)
        ? E.right(undefined)
        : resumeRefund(services, { merchantId, environment }, decodeOrThrow(PaymentId, id), row.claim.refundId),
  })

/** Its intent is recorded: from then on the worker brings it to its end, and tells the refund. */
const isOnItsWay = ({ readModels }: Services, refundId: RefundId): boolean =>
  readModels.intents.withKey(refundId).length > 0

/**
 * Brings a claimed refund forward from wherever it stands: requested, credits taken back, the intent to pay recorded; or
 * its end, where credits are spent. Each step has an id that derives from the refund, so this can be ingested again at any
 * time, by any process, also after the end, and writes only what is missing.
 */
export const resumeRefund = async (
  services: Services,
  scope: Scope,
  paymentId: PaymentId,
  refundId: RefundId,
): Promise<E.Either<ProcessFailure, void>> => {
  const found = withoutRejection(await paymentNow(services)(scope, paymentId)())
  if (E.isLeft(found)) return found
  const { state } = found.right
  const claim = state.status === 'confirmed' ? state.refunds.find((each) => each.refundId === refundId) : undefined
  if (state.status !== 'confirmed' || claim === undefined)
    throw new Error(`${paymentId} was not claimed by ${refundId}`)
  if (claim.status !== 'claimed') return E.right(undefined)

  const { destination, reason, metadata, claimedAt } = claim
  const { customerId, assetId } = state.details
  const details = { paymentId, customerId, amount: state.confirmation.amount, assetId, destination, reason, metadata }
  const context = stepContext(scope, derivedCommandId(scope.environment, refundId), 'request', claimedAt)
  const decide = Refund.decider.decide({ type: 'RequestRefund', ...details })
  const requested = await step(services.store)(Refund, refundId, context, decide)
  if (E.isLeft(requested)) return requested
  const taken = await takeCreditsBack(services, found.right, refundId, claimedAt)
  if (E.isRight(taken)) {
    const muxedId = destination === state.confirmation.payer ? muxedIdOf(state) : null
    return payBack(services, scope, refundId, details, muxedId, claimedAt)
  }
  if (taken.left._tag !== 'CreditsSpent') return E.left(taken.left)
  const end = { type: 'FailRefund', reason: 'credits_spent', code: null, at: claimedAt } as const
  return endRefund(services, scope, refundId, end)
}

/** From the account that the merchant is paid to now. What it was paid to before may have been given up. */
const payBack = async (
  services: Services,
  { merchantId, environment }: Scope,
  refundId: RefundId,
  { destination, assetId, amount }: RefundDetails,
  destinationMuxedId: MuxedId | null,
  at: UnixMs,
): Promise<E.Either<ProcessFailure, void>> => {
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const owner = asText(refundId)
  const muxed = destinationMuxedId === null ? {} : { destinationMuxedId }
  const intent = await recordIntent(
    services,
    { merchantId, environment },
    {
      class: 'refund',
      owner,
      source: settlement.right.account,
      action: { _tag: 'payment', destination, assetId, amount, ...muxed },
      memo: owner,
      at,
    },
  )
  return E.map(() => undefined)(intent)
}
