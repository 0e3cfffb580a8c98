import {
  type AssetId,
  PayoutDestinationId as DestinationId,
  type Memo,
  type PayoutDestinationId,
  type PayoutTarget,
  type Stroops,
} from '@quittance/domain'
import { type Found, payoutDestinations as model, type PayoutDestinationRow, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { retrieve, type StoreUnavailable } from '../../kernel/load.ts'
import { addressText } from '../../resources/payout.ts'
import { usableFrom } from '../../resources/payout-destination.ts'
import { networkOf, type Services } from '../../services/services.ts'
import { type DestinationUnfit, problemWith, unfit } from '../outgoing/check-destination.ts'
import { channelAccounts, operatorAccounts } from '../outgoing/signing-accounts.ts'
import type { PayoutDestinationNotFound } from './destinations.ts'
import type { ObserveFailure } from './funds.ts'
import type { PayoutServices } from './services.ts'

/** Nobody has proven it, and it has not waited for a day. */
export type DestinationNotUsableYet = { readonly _tag: 'DestinationNotUsableYet'; readonly usableFrom: number }
/** Several destinations have this address: name one by its id. */
export type DestinationAmbiguous = { readonly _tag: 'DestinationAmbiguous' }
/** The memo says whose the money is: an app token takes the one that is registered. */
export type MemoNotRegistered = { readonly _tag: 'MemoNotRegistered' }

type TargetFailure =
  | StoreUnavailable
  | PayoutDestinationNotFound
  | DestinationNotUsableYet
  | DestinationAmbiguous
  | MemoNotRegistered

/**
 * Finds a registered destination, by its id or its address, that can be used at a moment (Unix milliseconds). A `memo` stands
 * in for the registered one where it is the same, or `mayChange` it.
 */
export const targetOf = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  scope: Scope,
  wanted: { readonly destination: string; readonly memo: Memo | null; readonly mayChangeMemo: boolean },
  at: number,
): Promise<E.Either<TargetFailure, PayoutTarget>> => {
  const found = await destinationOf(services, scope, wanted.destination)
  if (E.isLeft(found)) return found
  const { id, row } = found.right
  const from = usableFrom(row)
  if (at < from) return E.left({ _tag: 'DestinationNotUsableYet', usableFrom: from })
  const { address, memo: registered, muxedId } = row.details
  const memo = wanted.memo ?? registered
  const isChanged = memo?.type !== registered?.type || memo?.value !== registered?.value
  if (isChanged && (!wanted.mayChangeMemo || muxedId !== undefined)) return E.left({ _tag: 'MemoNotRegistered' })
  const destinationId: PayoutDestinationId = decodeOrThrow(DestinationId, id)
  return E.right({ destinationId, address, memo, ...(muxedId === undefined ? {} : { muxedId }) })
}

export const destinationOf = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  scope: Scope,
  named: string,
): Promise<
  E.Either<StoreUnavailable | PayoutDestinationNotFound | DestinationAmbiguous, Found<PayoutDestinationRow>>
> => {
  const isLive = ({ row }: Found<PayoutDestinationRow>) => row.status === 'registered'
  const notFound = E.left<PayoutDestinationNotFound>({ _tag: 'PayoutDestinationNotFound' })
  if (DestinationId.is(named)) {
    const found = await retrieve(services.store)(model, named, scope)
    if (E.isLeft(found)) return found
    return O.isSome(found.right) && isLive(found.right.value) ? E.right(found.right.value) : notFound
  }
  await services.caughtUp.withOwnWrites(scope.merchantId)
  const { merchantId, environment } = scope
  const page = { merchantId, environment, status: 'registered', limit: 1_000 }
  const { rows } = await services.readModels.payoutDestinations.page(page)
  const [one, ...more] = rows.filter(({ row }) => addressText(row.details) === named)
  if (one === undefined) return notFound
  return more.length > 0 ? E.left({ _tag: 'DestinationAmbiguous' }) : E.right(one)
}

/**
 * Asks the ledger whether a target can take so much; later changes show when it is paid. An account that belongs to many
 * takes a payment only with a memo or a muxed id; none of the service's own accounts takes any. Source: SEP-29.
 */
export const checkTarget = async (
  services: PayoutServices,
  { environment, merchantId }: Scope,
  { address, memo, muxedId }: PayoutTarget,
  assetId: AssetId,
  amount: Stroops,
): Promise<E.Either<DestinationUnfit | ObserveFailure, void>> => {
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const ours = [...(await channelAccounts(services, environment)), ...(await operatorAccounts(services, environment))]
  const isOurs =
    address === settlement.right.account ||
    ours.some(({ account }) => account === address) ||
    (await services.readModels.watchedAccounts.withKey(address)).some(({ row }) => row.environment === environment)
  if (isOurs) return unfit('is_own')
  const namesHolder = memo !== null || muxedId !== undefined
  if (services.omnibusAccounts.has(address) && !namesHolder) return unfit('is_omnibus')
  const view = await network.right.gateway.accountView(address, [assetId])()
  if (E.isLeft(view)) return view
  if (view.right === null) return unfit('not_found')
  if (view.right.requiresMemo && !namesHolder) return unfit('requires_memo')
  const reason = problemWith(view.right, { destination: address, assetId, amount })
  return reason === null ? E.right(undefined) : unfit(reason)
}
