import {
  type AccountId,
  type AssetId,
  type Environment,
  Memo,
  noMetadata,
  Payout,
  PayoutBook,
  PayoutDestinationId,
  PayoutId,
  type PayoutTarget,
  type Stroops,
  stroops,
  unixMs,
} from '@quittance/domain'
import { payouts as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, execute } from '../../kernel/execute.ts'
import { fold } from '../../kernel/fold.ts'
import { rowAfter, stateOf } from '../../kernel/load.ts'
import { bookId } from '../../kernel/payout-book.ts'
import { type PayoutResource, payoutResource } from '../../resources/payout.ts'
import { networkOf } from '../../services/services.ts'
import { perhapsCollected } from '../outgoing/perhaps-paid.ts'
import { bookedFeesOf } from './booked-fees.ts'
import { observeFunds } from './funds.ts'
import type { PayoutFailure } from './request.ts'
import { resumeClaim } from './resume.ts'
import type { PayoutServices } from './services.ts'
import { checkTarget } from './target.ts'

/** Nobody has said where the operator's fees are paid to. */
export type FeeAccountNotConfigured = { readonly _tag: 'FeeAccountNotConfigured'; readonly environment: Environment }

/** Why fees cannot be collected. */
export type CollectFailure = PayoutFailure | FeeAccountNotConfigured

/** What became of the fees of one asset. */
export type CollectedFees =
  | { readonly assetId: AssetId; readonly payout: PayoutResource }
  | { readonly assetId: AssetId; readonly refused: CollectFailure }

/**
 * Pays the operator what a merchant owes it, in each asset of which at least `minimum` is owed and there. Each payment is
 * decided in the asset's book, beside the merchant's payouts, so that nothing is paid twice; from then on it is a payout,
 * which comes to its end by itself.
 */
export const collectFees = async (
  services: PayoutServices,
  context: CommandContext,
  minimum: Stroops,
): Promise<E.Either<CollectFailure, ReadonlyArray<CollectedFees>>> => {
  const network = networkOf(services, context.environment)
  if (E.isLeft(network)) return network
  const { feeAccount = null } = network.right
  if (feeAccount === null) return E.left({ _tag: 'FeeAccountNotConfigured', environment: context.environment })
  const settlement = await services.settlementOf(context.merchantId, context.environment)()
  if (E.isLeft(settlement)) return settlement
  if (settlement.right.custody === 'merchant') return E.left({ _tag: 'SettlementAccountIsOwn' })
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const collected: Array<CollectedFees> = []
  for (const { assetId } of await bookedFeesOf(services, context)) {
    const own = { ...context, commandId: derivedCommandId(context.commandId, `collect ${assetId}`) }
    const done = await collectAsset(services, own, feeAccount, assetId, minimum)
    if (E.isRight(done)) collected.push({ assetId, payout: done.right })
    // Nothing is owed, or too little.
    else if (done.left._tag !== 'BalanceTooLow') collected.push({ assetId, refused: done.left })
  }
  return E.right(collected)
}

const collectAsset = async (
  services: PayoutServices,
  context: CommandContext,
  feeAccount: AccountId,
  assetId: AssetId,
  minimum: Stroops,
): Promise<E.Either<CollectFailure, PayoutResource>> => {
  const payoutId = createdId(PayoutId, context.at, context.commandId)
  const target = feeTarget(feeAccount, payoutId)
  // The memo names the collection, not the holder of an account that many share.
  const fits = await checkTarget(services, context, { ...target, memo: null }, assetId, stroops(1n))
  if (E.isLeft(fits)) return fits
  const perhaps = await perhapsCollected(services, context, assetId)
  if (perhaps !== null) return E.left(perhaps)
  const funds = await observeFunds(services, context, [assetId])
  if (E.isLeft(funds)) return funds
  const { observedAt, epoch, account: source } = funds.right
  const { spendable, bookedFees } = funds.right.of(assetId)
  const decide = PayoutBook.decider.decide({
    type: 'CollectFees',
    payoutId,
    minimum,
    details: { assetId, target, metadata: noMetadata },
    at: context.at,
    ...{ spendable, bookedFees, observedAt, epoch, source },
  })
  const book = await execute(services.store)(PayoutBook, bookId(context, assetId), context, decide)
  if (E.isLeft(book)) return book
  const resumed = await resumeClaim(services, context, book.right, payoutId)
  if (E.isLeft(resumed)) return resumed
  const payout = await stateOf(services.store)(Payout, payoutId)
  if (E.isLeft(payout)) return payout
  const { events } = payout.right
  return E.right(payoutResource(rowAfter(model, payoutId)({ events, state: fold(Payout, events) })))
}

/** The operator's account, and the memo by which a log that lost a collection finds it. No merchant registers it. */
export const feeTarget = (address: AccountId, payoutId: PayoutId): PayoutTarget => ({
  destinationId: createdId(PayoutDestinationId, unixMs(0), derivedCommandId(address, 'platform fees')),
  address,
  memo: decodeOrThrow(Memo, { type: 'text', value: payoutId }),
})
