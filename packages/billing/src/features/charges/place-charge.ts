import {
  type ChargeAction,
  type IncomingPayment,
  Intent,
  Payment,
  type PaymentCommand,
  PaymentId,
  stroops,
} from '@quittance/domain'
import type { IngestedLedger, MandateCharged } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { allOf } from '../../kernel/all-of.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { incomingPaymentName } from '../../kernel/incoming-payment-name.ts'
import { isIn, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { intentIdOf } from '../outgoing/record-intent.ts'
import { openException } from '../payments/open-exception.ts'
import { payerFrom } from '../payments/payer.ts'
import type { Payer } from '../payments/payment-commands.ts'
import { recoverAttempt, settleCharge } from './recover-attempt.ts'

const none = stroops(0n)
const nobody: Payer = { walletId: null, billingDetails: null }

/** Names an incoming payment in a closed ledger. */
type IncomingPaymentPlace = Parameters<typeof incomingPaymentName>[1]

/** The charge that an incoming payment is the money of, as the contract says; null for all other money. */
export const chargeOf = (
  { mandates }: Pick<IngestedLedger, 'mandates'>,
  { transactionHash, operationIndex, ordinal = 0 }: IncomingPaymentPlace,
): MandateCharged | null =>
  mandates
    .filter((fact) => fact._tag === 'MandateCharged')
    .filter((fact) => fact.transactionHash === transactionHash)
    .find(({ credit }) => credit?.operationIndex === operationIndex && credit.ordinal === ordinal) ?? null

/**
 * Confirms the payment whose charge a closed ledger holds, whatever else is known of it yet: the money is there. False if
 * the charge is not ours: anybody may charge a mandate of their own in the contract, under any reference. Money for a payment
 * that has failed is an exception.
 */
export const placeCharge = async (
  services: Pick<Services, 'store' | 'readModels' | 'vault'>,
  scope: Scope,
  incoming: IncomingPayment,
  charged: MandateCharged,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const { reference } = charged
  if (!PaymentId.is(reference)) return E.right(false)
  const wanted = await wantedFor(services, scope, reference, incoming, charged)
  if (E.isLeft(wanted)) return wanted
  if (wanted.right === null || !isMadeBy(charged, wanted.right, incoming)) return E.right(false)
  const settled = await settleCharge(services, scope, reference, charged, null)
  if (E.isLeft(settled)) return settled
  const payment = await stateOf(services.store)(Payment, reference)
  if (E.isLeft(payment)) return payment
  if (payment.right.state.status === 'absent') throw new Error(`${reference} is charged, and was never opened`)
  const { checkoutId, customerId } = payment.right.state.details
  const payer =
    customerId === null ? E.right(nobody) : await payerFrom(services, scope, reference, customerId, incoming, false)
  if (E.isLeft(payer)) return payer
  const { transactionHash, closedAt } = incoming
  const commands: ReadonlyArray<PaymentCommand> = [
    { type: 'RecordCredit', credit: incoming },
    { type: 'ConfirmPayment', excess: none, overpaid: none, late: false, transactionHash, ...payer.right },
  ]
  const context = stepContextOf(scope, reference, 'charged', closedAt)
  const decide = allOf(Payment.decider, commands)
  const confirmed = await stepUnless(services.store)(hasEnded, Payment, reference, context, decide)
  if (E.isLeft(confirmed)) return confirmed
  if (confirmed.right !== null) return E.right(true)
  const collected = { ...incoming, mandateId: charged.mandate }
  const misfit = { kind: 'after_failure' as const, incoming: collected, checkoutId, paymentId: reference }
  const opened = await openException(services, scope, misfit)
  return E.isLeft(opened) ? opened : E.right(true)
}

/** A failed payment takes no money, and a confirmed one none of a second charge. */
const hasEnded = ['PaymentIsFailed', 'PaymentIsConfirmed'] as const

/** The charge that was wanted for a payment, also where the log has lost that it was; null for no charge of ours. */
const wantedFor = async (
  services: Pick<Services, 'store' | 'readModels'>,
  scope: Scope,
  paymentId: PaymentId,
  incoming: IncomingPayment,
  charged: MandateCharged,
): Promise<E.Either<ExecuteFailure, ChargeAction | null>> => {
  const wanted = await actionOf(services, scope, paymentId)
  if (E.isLeft(wanted) || wanted.right !== null) return wanted
  const recovered = await recoverAttempt(services, scope, paymentId, incoming, charged)
  if (E.isLeft(recovered)) return recovered
  return recovered.right ? actionOf(services, scope, paymentId) : E.right(null)
}

/** The charge that was wanted for a payment; null without such an intent. */
const actionOf = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  paymentId: PaymentId,
): Promise<E.Either<StoreUnavailable, ChargeAction | null>> => {
  const intent = await stateOf(store)(Intent, intentIdOf(scope, paymentId))
  if (E.isLeft(intent)) return intent
  const { state, events } = intent.right
  const [first] = events
  if (first === undefined || !isIn(scope, first.metadata) || state.status === 'absent') return E.right(null)
  const { action } = state.details
  return E.right(action._tag === 'charge' ? action : null)
}

/** Whether this is the charge that was wanted, with the money that was wanted for it. */
const isMadeBy = (charged: MandateCharged, action: ChargeAction, incoming: IncomingPayment): boolean =>
  charged.contract === action.contractId &&
  charged.mandate === action.mandateId &&
  charged.periodStart === action.periodStart &&
  incoming.from === action.customer &&
  incoming.assetId === action.assetId &&
  incoming.amount === action.amount
