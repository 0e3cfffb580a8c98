import {
  type AccountId,
  liveRefund,
  type MetadataRejection,
  mergeMetadata,
  noMetadata,
  Payment,
  type PaymentRejection,
  RefundId,
  Subscription,
  type Text,
} from '@quittance/domain'
import { refunds as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, execute } from '../../kernel/execute.ts'
import { rowAfter, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { type RefundResource, refundResource } from '../../resources/refund.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { withoutRejection } from '../../services/steps.ts'
import { isAside } from '../invoices/unapplied-payment.ts'
import { checkDestination, type DestinationUnfit } from '../outgoing/check-destination.ts'
import { type KnownPayment, paymentNow } from '../payments/payment-now.ts'
import type { PaymentNotFound } from '../payments/payments.ts'
import { isSentByOneAccount, type SenderUnknown } from '../payments/sent-by-account.ts'
import { type CreditsSpent, checkCredits } from './bought-credits.ts'
import { resumeRefund } from './resume.ts'

/** A payment to be given back, whole. Without a destination: to the wallet that paid. */
export type NewRefund = {
  readonly paymentId: string
  readonly reason: Text | null
  readonly destination: AccountId | null
  readonly metadata: unknown
}

type NotClaimable = Extract<
  PaymentRejection,
  { readonly _tag: 'PaymentNotConfirmed' | 'RefundExists' | 'PaymentSetAside' }
>

export type RefundFailure =
  | ProcessFailure
  | PaymentNotFound
  | NotClaimable
  | MetadataRejection
  | DestinationUnfit
  | SenderUnknown
  | CreditsSpent

/**
 * Gives a payment back. Whatever can be known beforehand is asked before the claim; from the claim on the refund comes to
 * its end by itself, whatever becomes of this process. A repeated request is not judged anew. Answers the refund as it was
 * requested: pending.
 */
export const requestRefund =
  (services: Services) =>
  (context: CommandContext, wanted: NewRefund): TE.TaskEither<RefundFailure, RefundResource> =>
  async () => {
    const found = await paymentNow(services)(context, wanted.paymentId)()
    if (E.isLeft(found)) return found
    const payment = found.right
    const refundId = createdId(RefundId, context.at, context.commandId)
    if (!isClaimedBy(payment, refundId)) {
      const claimed = await claim(services, context, payment, refundId, wanted)
      if (E.isLeft(claimed)) return claimed
    }
    const carried = await resumeRefund(services, context, payment.paymentId, refundId)
    if (E.isLeft(carried)) return carried
    const stream = await services.store.readStream(`${model.category}-${refundId}`)()
    if (E.isLeft(stream)) return stream
    const settlement = await services.settlementOf(context.merchantId, context.environment)()
    if (E.isLeft(settlement)) return settlement
    const row = rowAfter(model, refundId)({ events: stream.right.events.slice(0, 1) })
    return E.right(refundResource(row, settlement.right.custody === 'merchant'))
  }

const isClaimedBy = ({ state }: KnownPayment, refundId: RefundId): boolean =>
  state.status === 'confirmed' && state.refunds.some((each) => each.refundId === refundId)

const isSetAside = async (
  services: Services,
  { paymentId, state }: KnownPayment,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  const subscriptionId = state.status === 'absent' ? null : state.details.subscriptionId
  if (subscriptionId === null) return E.right(false)
  return pipe(
    await stateOf(services.store)(Subscription, subscriptionId),
    E.map((subscription) => isAside(subscription.state, paymentId)),
  )
}

const claim = async (
  services: Services,
  context: CommandContext,
  payment: KnownPayment,
  refundId: RefundId,
  wanted: NewRefund,
): Promise<E.Either<RefundFailure, void>> => {
  const { state, paymentId } = payment
  if (state.status !== 'confirmed') {
    return E.left(
      state.status === 'absent' ? { _tag: 'PaymentNotFound' } : { _tag: 'PaymentNotConfirmed', status: state.status },
    )
  }
  const aside = await isSetAside(services, payment)
  if (E.isLeft(aside)) return aside
  if (aside.right) return E.left({ _tag: 'PaymentSetAside' })
  const live = liveRefund(state)
  if (live !== null) return E.left({ _tag: 'RefundExists', refundId: live.refundId })
  const metadata = mergeMetadata(noMetadata, wanted.metadata ?? {})
  if (E.isLeft(metadata)) return metadata
  const { amount, payer } = state.confirmation
  if (wanted.destination === null && !isSentByOneAccount(state.incomingPayments))
    return E.left({ _tag: 'SenderUnknown' })
  const destination = wanted.destination ?? payer
  const fits = await checkDestination(services, context, { destination, assetId: state.details.assetId, amount })
  if (E.isLeft(fits)) return fits
  const unspent = await checkCredits(services, payment)
  if (E.isLeft(unspent)) return unspent

  const { reason } = wanted
  const command = { type: 'ClaimRefund' as const, refundId, destination, reason, metadata: metadata.right }
  const decide = Payment.decider.decide({ ...command, claimedAt: context.at })
  const claimed = await execute(services.store)(Payment, paymentId, context, decide)
  // Another has claimed it since, or its subscription has set it aside.
  if (E.isLeft(claimed) && (claimed.left._tag === 'RefundExists' || claimed.left._tag === 'PaymentSetAside'))
    return E.left(claimed.left)
  return E.map(() => undefined)(withoutRejection(claimed))
}
