import {
  asText,
  type ExceptionDetails,
  type ExceptionId,
  type MoneyReturn,
  type UndecidedReason,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { networkOf, type Services } from '../../services/services.ts'
import {
  checkDestination,
  type DestinationUnfit,
  type OutgoingMoney,
  type UnfitReason,
} from '../outgoing/check-destination.ts'
import { feeCapOf } from '../outgoing/fees.ts'
import { type PerhapsPaid, perhapsPaid } from '../outgoing/perhaps-paid.ts'
import { recordIntent } from '../outgoing/record-intent.ts'
import type { InsufficientFunds } from '../refunds/covered.ts'

export type ReturnUnfit = DestinationUnfit | InsufficientFunds | PerhapsPaid

export const isReturnUnfit = (failure: ProcessFailure | ReturnUnfit): failure is ReturnUnfit =>
  failure._tag === 'DestinationUnfit' || failure._tag === 'InsufficientFunds' || failure._tag === 'PerhapsPaid'

/** Why a person has to decide about money that cannot go back. */
export const undecidedOf = (unfit: ReturnUnfit): UndecidedReason =>
  unfit._tag === 'DestinationUnfit' ? destinationReasons[unfit.reason] : undecidedReasons[unfit._tag]

const undecidedReasons = { InsufficientFunds: 'insufficient_funds', PerhapsPaid: 'perhaps_paid' } as const

const destinationReasons: Readonly<Record<UnfitReason, UndecidedReason>> = {
  not_found: 'destination_not_found',
  no_trustline: 'destination_no_trustline',
  not_authorized: 'destination_not_authorized',
  full: 'destination_full',
  requires_memo: 'destination_requires_memo',
  is_omnibus: 'destination_is_omnibus',
  is_own: 'destination_is_own',
}

/** Asks the ledger whether money can go back: it must arrive, and the paying account must keep its reserve and a fee. */
export const checkReturn = async (
  services: Pick<Services, 'readModels' | 'settlementOf' | 'networks' | 'omnibusAccounts'>,
  scope: Scope,
  payout: OutgoingMoney,
): Promise<E.Either<ProcessFailure | ReturnUnfit, void>> => {
  const perhaps = await perhapsPaid(services, scope, payout)
  if (perhaps !== null) return E.left(perhaps)
  const fits = await checkDestination(services, scope, payout)
  if (E.isLeft(fits) || payout.assetId !== 'native') return fits
  const network = networkOf(services, scope.environment)
  if (E.isLeft(network)) return network
  const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
  if (E.isLeft(settlement)) return settlement
  const view = await network.right.gateway.accountView(settlement.right.account, [])()
  if (E.isLeft(view)) return view
  const spendable = view.right?.nativeSpendable ?? 0n
  return spendable >= payout.amount + feeCapOf('return') ? E.right(undefined) : E.left({ _tag: 'InsufficientFunds' })
}

/**
 * Records the intent of a return that has started, from the account that the merchant is paid to now; once, however often.
 * The worker brings it to the ledger, and tells the exception.
 */
export const sendBack = async (
  services: Pick<Services, 'store' | 'settlementOf'>,
  scope: Scope,
  id: ExceptionId,
  { assetId, amount }: ExceptionDetails,
  { returnId, destination, destinationMuxedId, startedAt: at }: MoneyReturn,
): Promise<E.Either<ProcessFailure, unknown>> => {
  const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
  if (E.isLeft(settlement)) return settlement
  const source = settlement.right.account
  const muxed = destinationMuxedId === null ? {} : { destinationMuxedId }
  const action = { _tag: 'payment' as const, destination, assetId, amount, ...muxed }
  return recordIntent(services, scope, {
    class: 'return',
    owner: asText(returnId),
    source,
    action,
    memo: asText(id),
    at,
  })
}
