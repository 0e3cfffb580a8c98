import {
  type AccountId,
  hourMs,
  type Memo,
  MuxedId,
  PayoutDestination,
  PayoutDestinationId,
  type PayoutDestinationRejection,
  type Text,
  unixMs,
} from '@quittance/domain'
import { readStrkey } from '@quittance/ledger'
import { payoutDestinations as model, type PageRequest, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import { orNotFound, retrieveLater, rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { type PayoutDestinationResource, payoutDestinationResource } from '../../resources/payout-destination.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { askForProof, type ProofFailure, takeProof, type WalletChallenge } from '../wallets/proof.ts'

/** How long a destination that nobody has proven waits: time for a merchant to see one that a thief has registered. */
export const destinationWaitMs = 24 * hourMs

export type NewDestination = { readonly address: string; readonly memo: Memo | null; readonly label: Text | null }

/** The text is no address that can be paid to. */
export type AddressMalformed = { readonly _tag: 'AddressMalformed' }
/** An `M…` says whose the money is: a memo beside it would say so twice. */
export type MemoBesideMuxed = { readonly _tag: 'MemoBesideMuxed' }
export type PayoutDestinationNotFound = Extract<
  PayoutDestinationRejection,
  { readonly _tag: 'PayoutDestinationNotFound' }
>

export type DestinationFailure =
  | ExecuteFailure
  | ProofFailure
  | AddressMalformed
  | MemoBesideMuxed
  | PayoutDestinationRejection

export type NewlyRegistered = PayoutDestinationResource & { readonly challenge: WalletChallenge | null }

/** Where a merchant's payouts may go to. */
export interface PayoutDestinations {
  /** Usable after a day, or once its owner has signed the challenge that is given along. */
  readonly register: (
    context: CommandContext,
    wanted: NewDestination,
  ) => TE.TaskEither<DestinationFailure, NewlyRegistered>
  readonly verify: (
    context: CommandContext,
    id: string,
    transaction: string,
  ) => TE.TaskEither<DestinationFailure, PayoutDestinationResource>
  readonly remove: (context: CommandContext, id: string) => TE.TaskEither<DestinationFailure, void>
  readonly retrieve: (
    scope: Scope,
    id: string,
  ) => TE.TaskEither<StoreUnavailable | PayoutDestinationNotFound, PayoutDestinationResource>
  readonly list: (page: PageRequest) => T.Task<Listing<PayoutDestinationResource>>
}

export const payoutDestinations = (services: Services): PayoutDestinations => {
  const { store } = services
  const ask = (context: CommandContext, subject: string, address: AccountId) => () =>
    askForProof(services, context, subject, address)
  const take = (context: CommandContext, subject: string, transaction: string) => () =>
    takeProof(services, context, subject, transaction)
  const notFound: PayoutDestinationNotFound = { _tag: 'PayoutDestinationNotFound' }
  const found = (scope: Scope, id: string) =>
    pipe(retrieveLater(store)(model, id, scope), TE.chainEitherKW(orNotFound(notFound)))
  const idIn = (id: string): E.Either<PayoutDestinationNotFound, PayoutDestinationId> =>
    PayoutDestinationId.is(id) ? E.right(id) : E.left(notFound)
  const give = (
    context: CommandContext,
    id: PayoutDestinationId,
    command: Parameters<typeof PayoutDestination.decider.decide>[0],
  ) =>
    pipe(
      executeLater(store)(PayoutDestination, id, context, PayoutDestination.decider.decide(command)),
      TE.map(rowAfter(model, id)),
      TE.map(payoutDestinationResource),
    )

  return {
    register: (context, { address, memo, label }) => {
      const named = addressIn(address)
      if (E.isLeft(named)) return TE.left(named.left)
      const { muxedId } = named.right
      if (muxedId !== undefined && memo !== null) return TE.left({ _tag: 'MemoBesideMuxed' })
      const id = createdId(PayoutDestinationId, context.at, context.commandId)
      const usableFrom = unixMs(context.at + destinationWaitMs)
      const command = { type: 'RegisterPayoutDestination' as const, ...named.right, memo, label, usableFrom }
      return pipe(
        give(context, id, command),
        TE.chainW((destination) =>
          TE.map((challenge: WalletChallenge | null) => ({ ...destination, challenge }))(
            muxedId === undefined ? ask(context, id, named.right.address) : TE.right(null),
          ),
        ),
      )
    },
    verify: (context, id, transaction) =>
      pipe(
        found(context, id),
        TE.chainEitherKW(() => idIn(id)),
        TE.chainFirstW((known) => take(context, known, transaction)),
        TE.chainW((known) => give(context, known, { type: 'ProvePayoutDestination', at: context.at })),
      ),
    remove: (context, id) =>
      pipe(
        found(context, id),
        TE.chainEitherKW(() => idIn(id)),
        TE.chainW((known) => give(context, known, { type: 'RemovePayoutDestination', at: context.at })),
        TE.map(() => undefined),
      ),
    retrieve: (scope, id) => TE.map(payoutDestinationResource)(found(scope, id)),
    list: (page) => () => listed(services, services.readModels.payoutDestinations, page, payoutDestinationResource),
  }
}

/** An account, with the number of a muxed address. */
export const addressIn = (
  text: string,
): E.Either<AddressMalformed, { readonly address: AccountId; readonly muxedId?: MuxedId }> => {
  const malformed = E.left<AddressMalformed>({ _tag: 'AddressMalformed' })
  const read = readStrkey(text)
  if (E.isLeft(read)) return malformed
  switch (read.right._tag) {
    case 'account':
      return E.right({ address: read.right.account })
    case 'muxed_account':
      return MuxedId.is(read.right.muxedId)
        ? E.right({ address: read.right.account, muxedId: read.right.muxedId })
        : malformed
    case 'signed_payload':
    case 'pre_auth_transaction':
    case 'hash_x':
    case 'contract':
    case 'liquidity_pool':
    case 'claimable_balance':
      return malformed
  }
}
