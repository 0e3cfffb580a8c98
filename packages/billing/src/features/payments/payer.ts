import {
  type AccountId,
  type CheckoutState,
  Customer,
  type CustomerId,
  type IncomingPayment,
  type PaymentId,
  type Sealed,
  type SubscriptionId,
  type UnixMs,
  WalletId,
} from '@quittance/domain'
import { customers as customerModel, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { retrieve } from '../../kernel/load.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { openProfile } from '../../resources/profile.ts'
import type { Services } from '../../services/services.ts'
import type { Payer } from './payment-commands.ts'
import { isSentByOneAccount } from './sent-by-account.ts'
import type { ExistingCheckout, SessionStep } from './session.ts'

const nobody: Payer = { walletId: null, billingDetails: null }

/**
 * The payer of a settled checkout: paying all of it from an address links that to the customer, and the payment keeps who
 * they were at that moment. A guest, and a customer who was deleted meanwhile, stay nobody.
 */
export const payerOf = async (
  services: Services,
  place: SessionStep,
  checkout: ExistingCheckout,
): Promise<E.Either<ExecuteFailure, Payer>> => {
  if (checkout.status !== 'settled' || checkout.customerId === null) return E.right(nobody)
  const { customerId, settlement } = checkout
  const { paymentId } = settlement
  if (!isSentByOneAccount(checkout.accepted))
    return E.map((billing: Sealed | null): Payer => ({ walletId: null, billingDetails: billing }))(
      await billingDetails(services, place, customerId),
    )
  return payerFrom(services, place, paymentId, customerId, settlingPayment(checkout))
}

/**
 * The incoming payment that covered the price: the last one accepted, since a settled checkout accepts no more. The
 * transaction hash alone would not identify it, since one transaction may hold several.
 */
const settlingPayment = ({
  accepted,
  settlement: { transactionHash },
}: Extract<CheckoutState, { readonly status: 'settled' }>): IncomingPayment => {
  const last = accepted.at(-1)
  if (last?.transactionHash === transactionHash) return last
  throw new Error(`a checkout was settled by ${transactionHash}, but not as the last of its incoming payments`)
}

/** The customer of a payment, who is linked to the address that has sent all of it. */
export const payerFrom = async (
  services: Services,
  scope: Scope,
  paymentId: PaymentId,
  customerId: CustomerId,
  { from, closedAt }: IncomingPayment,
): Promise<E.Either<ExecuteFailure, Payer>> => {
  const linked = await linkWallet(services, scope, paymentId, customerId, { wallet: from, closedAt })
  if (E.isLeft(linked)) return linked
  if (linked.right === 'deleted') return E.right(nobody)
  const walletId = linked.right
  const details = await billingDetails(services, scope, customerId)
  return E.map((billingDetails: Sealed | null): Payer => ({ walletId, billingDetails }))(details)
}

/** Links the address that has paid or signed for `cause` to its customer, who may have been deleted meanwhile. */
export const linkWallet = async (
  { store }: Services,
  scope: Scope,
  cause: PaymentId | SubscriptionId,
  customerId: CustomerId,
  { wallet: address, closedAt }: { readonly wallet: AccountId; readonly closedAt: UnixMs },
): Promise<E.Either<ExecuteFailure, WalletId | null | 'deleted'>> => {
  const context = stepContext(scope, derivedCommandId(scope.environment, cause), 'link wallet', closedAt)
  const walletId = createdId(WalletId, closedAt, context.commandId)
  const command = { type: 'LinkWallet' as const, walletId, address, metadata: null, via: 'payment' as const }
  const linked = await execute(store)(Customer, customerId, context, Customer.decider.decide(command))
  if (E.isRight(linked)) {
    const { state } = linked.right
    const wallet = state.status === 'active' ? state.wallets.find((each) => each.address === address) : undefined
    return E.right(wallet?.walletId ?? null)
  }
  switch (linked.left._tag) {
    case 'CustomerIsDeleted':
      return E.right('deleted')
    case 'CustomerNotFound':
    case 'CustomerAlreadyExists':
    case 'CustomerIsAbandoned':
    case 'WalletIdTaken':
    case 'WalletNotFound':
    case 'EmailClaimOutdated':
    case 'EmailStillHeld':
      throw new Error(`${customerId} cannot have the wallet that paid: ${linked.left._tag}`)
    case 'ForeignStream':
    case 'TooManyConflicts':
    case 'StepRejected':
    case 'ClaimLost':
    case 'StoreUnavailable':
    case 'OutcomeUnknown':
      return E.left(linked.left)
  }
}

const billingDetails = async (
  { store, vault }: Services,
  scope: Scope,
  customerId: CustomerId,
): Promise<E.Either<ExecuteFailure, Sealed | null>> => {
  const customer = await retrieve(store)(customerModel, customerId, scope)
  if (E.isLeft(customer)) return customer
  return pipe(
    customer.right,
    O.chain(({ row }) => openProfile(vault, customerId, row.record.profile)),
    O.chain(({ email, name }) => vault.seal(customerId, { email, name })),
    O.toNullable,
    E.right,
  )
}
