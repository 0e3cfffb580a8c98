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
import {
  type Found,
  payoutDestinations as model,
  type PageRequest,
  type PayoutDestinationRow,
  type Scope,
} from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { retrieveExisting, rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { type PayoutDestinationResource, payoutDestinationResource } from '../../resources/payout-destination.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { askForProof, type ProofFailure, takeProof, type WalletChallenge } from '../wallets/proof.ts'
import type { PayoutServices } from './services.ts'

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

export const payoutDestinations = (services: PayoutServices): PayoutDestinations => ({
  register: (context, wanted) => () => register(services, context, wanted),
  verify: (context, id, transaction) => async () => {
    const found = await load(services, context, id)
    if (E.isLeft(found)) return found
    if (!PayoutDestinationId.is(id)) return notFound
    const proven = await takeProof(services, context, id, transaction)
    if (E.isLeft(proven)) return proven
    return command(services, context, id, { type: 'ProvePayoutDestination', at: context.at })
  },
  remove: (context, id) => async () => {
    const found = await load(services, context, id)
    if (E.isLeft(found)) return found
    if (!PayoutDestinationId.is(id)) return notFound
    const removed = await command(services, context, id, { type: 'RemovePayoutDestination', at: context.at })
    return E.isLeft(removed) ? removed : E.right(undefined)
  },
  retrieve: (scope, id) => async () => E.map(payoutDestinationResource)(await load(services, scope, id)),
  list: (page) => () => listed(services, services.readModels.payoutDestinations, page, payoutDestinationResource),
})

const notFound: E.Either<PayoutDestinationNotFound, never> = E.left({ _tag: 'PayoutDestinationNotFound' })

const load = (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  id: string,
): Promise<E.Either<StoreUnavailable | PayoutDestinationNotFound, Found<PayoutDestinationRow>>> =>
  retrieveExisting(store)(model, id, scope, { _tag: 'PayoutDestinationNotFound' })

const register = async (
  services: PayoutServices,
  context: CommandContext,
  { address, memo, label }: NewDestination,
): Promise<E.Either<DestinationFailure, NewlyRegistered>> => {
  const named = addressIn(address)
  if (E.isLeft(named)) return named
  const { address: account, muxedId } = named.right
  if (muxedId !== undefined && memo !== null) return E.left({ _tag: 'MemoBesideMuxed' })
  const id = createdId(PayoutDestinationId, context.at, context.commandId)
  const usableFrom = unixMs(context.at + destinationWaitMs)
  const details = { ...named.right, memo, label, usableFrom }
  const destination = await command(services, context, id, { type: 'RegisterPayoutDestination', ...details })
  if (E.isLeft(destination)) return destination
  const challenge = muxedId === undefined ? await askForProof(services, context, id, account) : E.right(null)
  return E.isLeft(challenge) ? challenge : E.right({ ...destination.right, challenge: challenge.right })
}

const command = async (
  { store }: Pick<Services, 'store'>,
  context: CommandContext,
  id: PayoutDestinationId,
  given: Parameters<typeof PayoutDestination.decider.decide>[0],
): Promise<E.Either<DestinationFailure, PayoutDestinationResource>> => {
  const decide = PayoutDestination.decider.decide(given)
  const done = await execute(store)(PayoutDestination, id, context, decide)
  return E.isLeft(done) ? done : E.right(payoutDestinationResource(rowAfter(model, id)(done.right)))
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
