import { type AccountId, Customer, type CustomerRejection, WalletId } from '@quittance/domain'
import { type CustomerRow, customers, type Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { type WalletResource, walletResource } from '../../resources/wallet.ts'
import type { Services } from '../../services/services.ts'
import { type CustomerNotFound, customerToAnswerFrom, livingCustomer } from '../customers/living.ts'
import { livingSubscriptions } from '../customers/living-subscriptions.ts'
import { askForProof, type ProofFailure, takeProof, type WalletChallenge } from './proof.ts'
import type { WalletServices } from './services.ts'

/** The text is not the id of a wallet. */
type NoSuchWallet = { readonly _tag: 'NoSuchWallet' }

/** A subscription is charged by a mandate of this wallet. */
type WalletInUse = { readonly _tag: 'WalletInUse'; readonly subscriptionId: string }

export type WalletFailure =
  | ExecuteFailure
  | CustomerRejection
  | CustomerNotFound
  | ProofFailure
  | NoSuchWallet
  | WalletInUse

/** The wallets that customers have proven to be theirs. A wallet that has paid is linked without a proof. */
export interface Wallets {
  /** Asks the owner of an address for a proof (SEP-10), valid for a quarter of an hour. */
  readonly start: (
    context: CommandContext,
    customerId: string,
    address: AccountId,
  ) => TE.TaskEither<WalletFailure, WalletChallenge>
  /**
   * Links the address of a signed challenge. Several customers may have the same address. Errors: `ChallengeInvalid`
   * for a challenge of another customer or one that is too old; `ChallengeSpent` for a used one.
   */
  readonly verify: (
    context: CommandContext,
    customerId: string,
    transaction: string,
  ) => TE.TaskEither<WalletFailure, WalletResource>
  /** Errors: `WalletInUse` while a subscription of the customer is charged to it. */
  readonly remove: (context: CommandContext, customerId: string, walletId: string) => TE.TaskEither<WalletFailure, void>
}

export const wallets = (services: WalletServices): Wallets => ({
  start: (context, customerId, address) => async () => {
    const customer = await customerToAnswerFrom(services, context, customerId)
    return E.isLeft(customer) ? customer : askForProof(services, context, customerId, address)
  },
  verify: (context, customerId, transaction) => async () => {
    const customer = await livingCustomer(services, context, customerId)
    if (E.isLeft(customer)) return customer
    const address = await takeProof(services, context, customerId, transaction)
    return E.isLeft(address) ? address : link(services, context, customerId, address.right)
  },
  remove: (context, customerId, walletId) => async () => {
    const customer = await livingCustomer(services, context, customerId)
    if (E.isLeft(customer)) return customer
    if (!WalletId.is(walletId)) return E.left({ _tag: 'NoSuchWallet' })
    const owner = await holderOf(services, context, customer.right, walletId)
    if (E.isLeft(owner)) return owner
    const unused = await ensureUnused(services, context, owner.right, walletId)
    if (E.isLeft(unused)) return unused
    const decide = Customer.decider.decide({ type: 'UnlinkWallet', walletId })
    const removed = await execute(services.store)(Customer, owner.right.id, context, decide)
    return E.isLeft(removed) ? removed : E.right(undefined)
  },
})

/** The one of merged customers to whom a wallet was linked. */
const holderOf = async (
  services: Pick<Services, 'store' | 'readModels'>,
  context: CommandContext,
  customer: Found<CustomerRow>,
  walletId: WalletId,
): Promise<E.Either<StoreUnavailable, Found<CustomerRow>>> => {
  for (const id of await services.readModels.customerFamily.allOf(customer.id)) {
    const found = id === customer.id ? E.right(customer) : await livingCustomer(services, context, id)
    if (E.isLeft(found) && found.left._tag === 'StoreUnavailable') return E.left(found.left)
    if (E.isRight(found) && found.right.row.wallets.some(({ wallet }) => wallet.walletId === walletId)) return found
  }
  return E.right(customer)
}

const ensureUnused = async (
  services: Pick<Services, 'readModels' | 'caughtUp'>,
  context: CommandContext,
  { id, row }: Found<CustomerRow>,
  walletId: WalletId,
): Promise<E.Either<StoreUnavailable | WalletInUse, void>> => {
  const address = row.wallets.find(({ wallet }) => wallet.walletId === walletId)?.wallet.address
  const living = await livingSubscriptions(services, context, id, context.at)
  if (E.isLeft(living)) return living
  const charged = living.right.find(
    ({ row: { authorization } }) => authorization.ended === null && authorization.mandate.customer === address,
  )
  return charged === undefined ? E.right(undefined) : E.left({ _tag: 'WalletInUse', subscriptionId: charged.id })
}

const link = async (
  { store }: Pick<Services, 'store'>,
  context: CommandContext,
  customerId: string,
  address: AccountId,
): Promise<E.Either<WalletFailure, WalletResource>> => {
  const walletId = createdId(WalletId, context.at, context.commandId)
  const command = { type: 'LinkWallet' as const, walletId, address, metadata: null, via: 'proof' as const }
  const linked = await execute(store)(Customer, customerId, context, Customer.decider.decide(command))
  return E.isLeft(linked) ? linked : E.right(walletAt(rowAfter(customers, customerId)(linked.right), address))
}

const walletAt = ({ row }: Found<CustomerRow>, address: AccountId): WalletResource => {
  const linked = row.wallets.find(({ wallet }) => wallet.address === address)
  if (linked === undefined) throw new Error(`${address} is missing right after it was linked`)
  return walletResource(linked)
}
