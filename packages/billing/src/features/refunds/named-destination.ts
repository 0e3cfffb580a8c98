import {
  type AccountId,
  Customer,
  type CustomerId,
  hourMs,
  type IncomingPayment,
  MemberId,
  Merchant,
  memberIn,
  type RecordedEvent,
  Team,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { incomingPaymentKey, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { someInTurn } from '../../kernel/checks-in-turn.ts'
import { isIn, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { actsAsSecretKey } from '../../resources/member-scopes.ts'
import { usableFrom } from '../../resources/payout-destination.ts'
import type { Services } from '../../services/services.ts'

/** Time for a merchant to notice what a thief has asked for. */
export const namedWaitMs = 24 * hourMs

/** Nobody has proven or registered the address, and the caller may not name such an address. */
export type DestinationNotAllowed = { readonly _tag: 'DestinationNotAllowed' }

/**
 * Money for an address that the caller names. `customerId`: whose proven wallets may have it, unless a person has applied
 * some of it (`paid`) to a checkout that it did not name.
 */
export type NamedDestination = {
  readonly address: AccountId
  readonly customerId: CustomerId | null
  readonly paid: ReadonlyArray<IncomingPayment>
  readonly mayNameAnyAddress: boolean
  readonly at: UnixMs
}

/**
 * Decides when money may be sent to a named address that has not paid it. Null: at once, since the merchant has registered
 * it, or the customer has proven it. Otherwise the caller needs the right, and the money waits.
 */
export const sendsAtFor = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  scope: Scope,
  { address, customerId, paid, mayNameAnyAddress, at }: NamedDestination,
): Promise<E.Either<StoreUnavailable | DestinationNotAllowed, UnixMs | null>> => {
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  if (await isRegistered(services, scope, address, at)) return E.right(null)
  const isOwned = customerId !== null && !(await isApplied(services, paid))
  const proven = isOwned ? await isProven(services, scope, customerId, address, at) : E.right(false)
  if (E.isLeft(proven)) return proven
  if (proven.right) return E.right(null)
  return mayNameAnyAddress ? E.right(unixMs(at + namedWaitMs)) : E.left({ _tag: 'DestinationNotAllowed' })
}

/** A destination with a memo or a muxed id is the account of many, and is paid only with these. */
const isRegistered = async (
  { readModels }: Pick<Services, 'readModels'>,
  scope: Scope,
  address: AccountId,
  at: number,
): Promise<boolean> =>
  (await readModels.payoutDestinations.withKey(address)).some(({ row, ...found }) => {
    const { memo, muxedId } = row.details
    const isWhole = memo === null && muxedId === undefined
    return isIn(scope, found) && row.status === 'registered' && isWhole && usableFrom(row) <= at
  })

const isApplied = (
  { readModels }: Pick<Services, 'readModels'>,
  paid: ReadonlyArray<IncomingPayment>,
): Promise<boolean> =>
  someInTurn(paid, async (incoming) =>
    (await readModels.exceptions.withKey(incomingPaymentKey(incoming))).some(
      ({ row }) => row.status === 'applying' || (row.status === 'resolved' && row.resolution.action === 'apply'),
    ),
  )

/**
 * A proof shows who controls the wallet, not that this is the customer: the caller says whose wallet it is. So a proof that
 * an app token or a member who may do less has brought counts after the wait. A secret key could register the wallet as a destination, too.
 */
const isProven = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  customerId: CustomerId,
  address: AccountId,
  at: number,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  const customer = await stateOf(store)(Customer, customerId)
  if (E.isLeft(customer)) return customer
  const { state, events } = customer.right
  const wallet = state.status === 'active' ? state.wallets.find((each) => each.address === address) : undefined
  if (wallet?.via !== 'proof') return E.right(false)
  const isProof = ({ type, data }: RecordedEvent): boolean =>
    (type === 'WalletLinked' || type === 'WalletProven') && data.walletId === wallet.walletId
  const proof = events.findLast(isProof)
  if (proof === undefined) throw new Error(`${wallet.walletId} is proven without a proof`)
  const isBounded = await isBoundedActor(store, scope.merchantId, proof.metadata.actor)
  if (E.isLeft(isBounded)) return isBounded
  return E.right(!isBounded.right || proof.metadata.occurredAt + namedWaitMs <= at)
}

/** Whether an actor is an app token, or a member who may do less than a secret key. */
const isBoundedActor = async (
  store: Services['store'],
  merchantId: string,
  actor: string,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  if (MemberId.is(actor)) {
    const team = await stateOf(store)(Team, merchantId)
    if (E.isLeft(team)) return team
    const member = memberIn(team.right.state, actor)
    return E.right(member === null || !actsAsSecretKey(member.role))
  }
  const merchant = await stateOf(store)(Merchant, merchantId)
  if (E.isLeft(merchant)) return merchant
  const keys = merchant.right.state.status === 'active' ? merchant.right.state.apiKeys : []
  return E.right(keys.some(({ keyId, kind }) => keyId === actor && kind === 'app'))
}

/**
 * When money that waits may be sent: a wait that began before a person accepted a restored log begins again, since that log
 * may have lost its cancellation.
 */
export const sendsAtAfterRestores = async (
  { logStanding }: Pick<Services, 'logStanding'>,
  sendsAt: UnixMs,
): Promise<E.Either<StoreUnavailable, UnixMs>> => {
  const acceptances = await logStanding.acceptances()
  if (E.isLeft(acceptances)) return acceptances
  const accepted = acceptances.right.at(-1)?.acceptedAt
  return E.right(accepted === undefined ? sendsAt : unixMs(Math.max(sendsAt, accepted + namedWaitMs)))
}
