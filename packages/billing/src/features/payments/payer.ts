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
import * as O from 'fp-ts/lib/Option.js'
import { createdId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { retrieve, stateOf } from '../../kernel/load.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import { openProfile } from '../../resources/profile.ts'
import type { Services } from '../../services/services.ts'
import type { Payer } from './payment-commands.ts'
import { isSentByOneAccount } from './sent-by-account.ts'
import type { ExistingCheckout, SessionStep } from './session.ts'

const nobody: Payer = { walletId: null, billingDetails: null }

/**
 * The payer of a settled checkout; the payment keeps the customer's details of that moment. Paying all of it from one
 * address links that address to a customer whom the merchant has named. An email that a payer typed proves nothing, so it
 * links nothing. A guest, or a customer who was deleted meanwhile, stays nobody.
 */
export const payerOf = async (
  services: Pick<Services, 'store' | 'vault'>,
  session: SessionStep,
  checkout: ExistingCheckout,
): Promise<E.Either<ExecuteFailure, Payer>> => {
  if (checkout.status !== 'settled' || checkout.customerId === null) return E.right(nobody)
  const { customerId, settlement } = checkout
  if (isSentByOneAccount(checkout.accepted))
    return payerFrom(
      services,
      session,
      settlement.paymentId,
      customerId,
      settlingPayment(checkout),
      namesCustomer(checkout),
    )
  const details = await billingDetails(services, session, customerId)
  return E.isLeft(details) ? details : E.right({ walletId: null, billingDetails: details.right })
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

/** Whether a payment links its wallet to the customer of this checkout. */
export const namesCustomer = ({ details }: ExistingCheckout): boolean => details.isCustomerNamed === true

/** The customer of a payment, with the address that sent all of it. */
export const payerFrom = async (
  services: Pick<Services, 'store' | 'vault'>,
  scope: Scope,
  paymentId: PaymentId,
  customerId: CustomerId,
  { from, closedAt }: IncomingPayment,
  isLinked: boolean,
): Promise<E.Either<ExecuteFailure, Payer>> => {
  const linked = isLinked
    ? await linkWallet(services, scope, paymentId, customerId, { wallet: from, closedAt })
    : await knownWallet(services, scope, paymentId, customerId, { wallet: from, closedAt })
  if (E.isLeft(linked)) return linked
  if (linked.right === 'deleted') return E.right(nobody)
  const details = await billingDetails(services, scope, customerId)
  return E.isLeft(details) ? details : E.right({ walletId: linked.right, billingDetails: details.right })
}

type PayingWallet = { readonly wallet: AccountId; readonly closedAt: UnixMs }

/** Links the address that has paid or signed for `cause` to its customer, who may have been deleted meanwhile. */
export const linkWallet = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  cause: PaymentId | SubscriptionId,
  customerId: CustomerId,
  { wallet: address, closedAt }: PayingWallet,
): Promise<E.Either<ExecuteFailure, WalletId | null | 'deleted'>> => {
  const context = stepContextOf(scope, cause, 'link wallet', closedAt)
  const walletId = createdId(WalletId, closedAt, context.commandId)
  const decide = Customer.decider.decide({ type: 'LinkWallet', walletId, address, metadata: null, via: 'payment' })
  const linked = await stepUnless(store)(['CustomerIsDeleted'], Customer, customerId, context, decide)
  if (E.isLeft(linked)) return linked
  if (linked.right === null) return E.right('deleted')
  const { state } = linked.right
  const wallet = state.status === 'active' ? state.wallets.find((each) => each.address === address) : undefined
  return E.right(wallet?.walletId ?? null)
}

/** The customer's wallet of an address; if it is linked to nobody, an id that this payment alone has. */
const knownWallet = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  paymentId: PaymentId,
  customerId: CustomerId,
  { wallet: address, closedAt }: PayingWallet,
): Promise<E.Either<ExecuteFailure, WalletId | 'deleted'>> => {
  const customer = await stateOf(store)(Customer, customerId)
  if (E.isLeft(customer)) return customer
  const { state } = customer.right
  if (state.status !== 'active') return E.right('deleted')
  const context = stepContextOf(scope, paymentId, 'link wallet', closedAt)
  const known = state.wallets.find((each) => each.address === address)
  return E.right(known?.walletId ?? createdId(WalletId, closedAt, context.commandId))
}

const billingDetails = async (
  { store, vault }: Pick<Services, 'store' | 'vault'>,
  scope: Scope,
  customerId: CustomerId,
): Promise<E.Either<ExecuteFailure, Sealed | null>> => {
  const customer = await retrieve(store)(customerModel, customerId, scope)
  if (E.isLeft(customer)) return customer
  if (O.isNone(customer.right)) return E.right(null)
  const profile = await openProfile(vault, customerId, customer.right.value.row.record.profile)
  if (O.isNone(profile)) return E.right(null)
  const { email, name } = profile.value
  return E.right(O.toNullable(await vault.seal(customerId, { email, name })))
}
