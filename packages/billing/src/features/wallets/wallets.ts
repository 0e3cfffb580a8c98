import { type AccountId, Customer, type CustomerRejection, WalletId } from '@quittance/domain'
import { type CustomerRow, customers, type Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import { rowAfter } from '../../kernel/load.ts'
import { type WalletResource, walletResource } from '../../resources/wallet.ts'
import type { Services } from '../../services/services.ts'
import { type CustomerNotFound, customerToAnswerFrom, livingCustomer } from '../customers/living.ts'
import { type ProofFailure, proofs, type WalletChallenge } from './proof.ts'

/** The text is the id of no wallet at all. */
type NoSuchWallet = { readonly _tag: 'NoSuchWallet' }

export type WalletFailure = ExecuteFailure | CustomerRejection | CustomerNotFound | ProofFailure | NoSuchWallet

/** The wallets that customers have shown to be theirs. One that has paid is linked without more. */
export interface Wallets {
  /** Asks the owner of an address for a proof (SEP-10), good for a quarter of an hour by the wall clock. */
  readonly start: (
    context: CommandContext,
    customerId: string,
    address: AccountId,
  ) => TE.TaskEither<WalletFailure, WalletChallenge>
  /**
   * Links the address of a challenge that came back signed. Several customers may have the same address. Errors:
   * `ChallengeInvalid` for what this customer was not given, or is too old; `ChallengeSpent` for what was used before.
   */
  readonly verify: (
    context: CommandContext,
    customerId: string,
    transaction: string,
  ) => TE.TaskEither<WalletFailure, WalletResource>
  readonly remove: (context: CommandContext, customerId: string, walletId: string) => TE.TaskEither<WalletFailure, void>
}

export const wallets = (services: Services): Wallets => {
  const { store } = services
  const { ask, take } = proofs(services)
  const run = executeLater(store)

  const link = (context: CommandContext, customerId: string, address: AccountId) => {
    const walletId = createdId(WalletId, context.at, context.commandId)
    const command = { type: 'LinkWallet' as const, walletId, address, metadata: null, via: 'proof' as const }
    return pipe(
      run(Customer, customerId, context, Customer.decider.decide(command)),
      TE.map(rowAfter(customers, customerId)),
      TE.map((customer) => walletAt(customer, address)),
    )
  }

  return {
    start: (context, customerId, address) =>
      pipe(
        () => customerToAnswerFrom(services, context, customerId),
        TE.chainW(() => ask(context, customerId, address)),
      ),
    verify: (context, customerId, transaction) =>
      pipe(
        () => livingCustomer(services, context, customerId),
        TE.chainW(() => take(context, customerId, transaction)),
        TE.chainW((address) => link(context, customerId, address)),
      ),
    remove: (context, customerId, walletId) =>
      pipe(
        () => livingCustomer(services, context, customerId),
        TE.chainEitherKW(() => E.fromPredicate(WalletId.is, (): NoSuchWallet => ({ _tag: 'NoSuchWallet' }))(walletId)),
        TE.chainW((known) =>
          run(Customer, customerId, context, Customer.decider.decide({ type: 'UnlinkWallet', walletId: known })),
        ),
        TE.map(() => undefined),
      ),
  }
}

const walletAt = ({ row }: Found<CustomerRow>, address: AccountId): WalletResource => {
  const linked = row.wallets.find(({ wallet }) => wallet.address === address)
  if (linked === undefined) throw new Error(`${address} is not linked after it was`)
  return walletResource(linked)
}
