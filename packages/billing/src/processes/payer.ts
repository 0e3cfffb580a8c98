import { Customer, type CustomerId, type Sealed, WalletId } from '@quittance/domain'
import { customers as customerModel } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { openProfile } from '../customers/profile.ts'
import { type ExecuteFailure, execute } from '../execute.ts'
import { consequence, createdId } from '../identity/derive.ts'
import { retrieve } from '../load.ts'
import type { Services } from '../services.ts'
import type { Payer } from './payment-commands.ts'
import { isSentByOneAccount } from './sent-by-account.ts'
import { type ExistingCheckout, type Place, settlingCredit, stepContext } from './steps.ts'

const nobody: Payer = { walletId: null, billingDetails: null }

/**
 * The payer of a settled checkout: paying all of it from an address links that to the customer, and the payment keeps who
 * they were at that moment. A guest, and a customer who was deleted meanwhile, stay nobody.
 */
export const payerOf = async (
  services: Services,
  place: Place,
  checkout: ExistingCheckout,
): Promise<E.Either<ExecuteFailure, Payer>> => {
  if (checkout.status !== 'settled' || checkout.customerId === null) return E.right(nobody)
  const { customerId, settlement } = checkout
  const { paymentId } = settlement
  const { from, closedAt } = settlingCredit(checkout)
  if (!isSentByOneAccount(checkout.accepted))
    return E.map((billing: Sealed | null): Payer => ({ walletId: null, billingDetails: billing }))(
      await billingDetails(services, place, customerId),
    )

  const context = stepContext(place, consequence(place.environment, paymentId), 'link wallet', closedAt)
  const walletId = createdId(WalletId, closedAt, context.commandId)
  const command = { type: 'LinkWallet' as const, walletId, address: from, metadata: null, via: 'payment' as const }
  const linked = await execute(services.store)(Customer, customerId, context, Customer.decider.decide(command))()
  if (E.isLeft(linked)) {
    switch (linked.left._tag) {
      case 'CustomerIsDeleted':
        return E.right(nobody)
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
      case 'ClaimLost':
      case 'StoreUnavailable':
      case 'OutcomeUnknown':
        return E.left(linked.left)
    }
  }
  const { state } = linked.right
  const wallet = state.status === 'active' ? state.wallets.find(({ address }) => address === from) : undefined
  const details = await billingDetails(services, place, customerId)
  return E.map((billing: Sealed | null): Payer => ({ walletId: wallet?.walletId ?? null, billingDetails: billing }))(
    details,
  )
}

const billingDetails = async (
  { store, vault }: Services,
  place: Place,
  customerId: CustomerId,
): Promise<E.Either<ExecuteFailure, Sealed | null>> => {
  const customer = await retrieve(store)(customerModel, customerId, place)()
  if (E.isLeft(customer)) return customer
  return pipe(
    customer.right,
    O.chain(({ row }) => openProfile(vault, customerId, row.record.profile)),
    O.chain(({ email, name }) => vault.seal(customerId, { email, name })),
    O.toNullable,
    E.right,
  )
}
