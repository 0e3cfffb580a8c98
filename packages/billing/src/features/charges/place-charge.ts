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
import { derivedCommandId } from '../../kernel/derive.ts'
import { type ExecuteFailure, execute, fold } from '../../kernel/execute.ts'
import type { incomingPaymentName } from '../../kernel/incoming-payment-name.ts'
import { isIn, type StoreUnavailable } from '../../kernel/load.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { unlessRejected, withoutRejection } from '../../services/steps.ts'
import { intentIdOf } from '../outgoing/record-intent.ts'
import { openException } from '../payments/open-exception.ts'
import { payerFrom } from '../payments/payer.ts'
import type { Payer } from '../payments/payment-commands.ts'
import { paymentNow } from '../payments/payment-now.ts'

const none = stroops(0n)
const nobody: Payer = { walletId: null, billingDetails: null }

/** Where a closed ledger holds a credit. */
type Place = Parameters<typeof incomingPaymentName>[1]

/** The charge that a credit is the money of, as the contract says; null of any other money. */
export const chargeOf = (
  { mandates }: Pick<IngestedLedger, 'mandates'>,
  { transactionHash, operationIndex, ordinal = 0 }: Place,
): MandateCharged | null =>
  mandates
    .filter((fact) => fact._tag === 'MandateCharged')
    .filter((fact) => fact.transactionHash === transactionHash)
    .find(({ credit }) => credit?.operationIndex === operationIndex && credit.ordinal === ordinal) ?? null

/**
 * Confirms the payment whose charge a closed ledger holds, whatever else is known of it yet: the money is there. False
 * where the charge is none of ours: anybody may charge a mandate of their own in the contract, under any reference. What
 * comes for a payment that has failed is an exception.
 */
export const placeCharge = async (
  services: Services,
  scope: Scope,
  credit: IncomingPayment,
  charged: MandateCharged,
): Promise<E.Either<ExecuteFailure | StoreUnavailable, boolean>> => {
  const { reference } = charged
  if (!PaymentId.is(reference)) return E.right(false)
  const wanted = await actionOf(services, scope, reference)
  if (E.isLeft(wanted)) return wanted
  if (wanted.right === null || !isMadeBy(charged, wanted.right, credit)) return E.right(false)
  const known = withoutRejection(await paymentNow(services)(scope, reference)())
  if (E.isLeft(known)) return known
  const { state } = known.right
  if (state.status === 'absent') throw new Error(`${reference} is charged, and was never opened`)
  const { checkoutId, customerId } = state.details
  const payer = customerId === null ? E.right(nobody) : await payerFrom(services, scope, reference, customerId, credit)
  if (E.isLeft(payer)) return payer
  const { transactionHash, closedAt } = credit
  const commands: ReadonlyArray<PaymentCommand> = [
    { type: 'RecordCredit', credit },
    { type: 'ConfirmPayment', excess: none, overpaid: none, late: false, transactionHash, ...payer.right },
  ]
  const context = stepContext(scope, derivedCommandId(scope.environment, reference), 'charged', closedAt)
  const decide = allOf(Payment.decider, commands)
  const confirmed = unlessRejected(await execute(services.store)(Payment, reference, context, decide))
  if (E.isLeft(confirmed)) return confirmed
  if (confirmed.right !== null) return E.right(true)
  const collected = { ...credit, mandateId: charged.mandate }
  const misfit = { kind: 'after_failure' as const, incoming: collected, checkoutId, paymentId: reference }
  return E.map(() => true)(await openException(services, scope, misfit))
}

/** What a payment was to be charged by; null where there is no such intent. */
const actionOf = async (
  { store }: Services,
  scope: Scope,
  paymentId: PaymentId,
): Promise<E.Either<StoreUnavailable, ChargeAction | null>> => {
  const stream = await store.readStream(`${Intent.category}-${intentIdOf(scope, paymentId)}`)()
  if (E.isLeft(stream)) return stream
  const [first] = stream.right.events
  const intent = first !== undefined && isIn(scope, first.metadata) ? fold(Intent, stream.right.events) : null
  if (intent === null || intent.status === 'absent') return E.right(null)
  const { action } = intent.details
  return E.right(action._tag === 'charge' ? action : null)
}

/** Whether a charge is the one that was wanted, and its money what was wanted for it. */
const isMadeBy = (charged: MandateCharged, action: ChargeAction, credit: IncomingPayment): boolean =>
  charged.contract === action.contractId &&
  charged.mandate === action.mandateId &&
  charged.periodStart === action.periodStart &&
  credit.from === action.customer &&
  credit.assetId === action.assetId &&
  credit.amount === action.amount
