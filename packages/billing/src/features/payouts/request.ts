import {
  type AssetId,
  type Memo,
  type MetadataRejection,
  mergeMetadata,
  noMetadata,
  Payout,
  PayoutBook,
  type PayoutBookRejection,
  type PayoutBookState,
  PayoutId,
  type PayoutTarget,
  type Stroops,
} from '@quittance/domain'
import { payouts as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type Executed, execute } from '../../kernel/execute.ts'
import { fold } from '../../kernel/fold.ts'
import { rowAfter, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { bookId } from '../../kernel/payout-book.ts'
import { type PayoutResource, payoutResource } from '../../resources/payout.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { neededApproval } from '../limits/approval-of.ts'
import type { DestinationUnfit } from '../outgoing/check-destination.ts'
import { type PerhapsPaid, perhapsPaid } from '../outgoing/perhaps-paid.ts'
import type { PayoutDestinationNotFound } from './destinations.ts'
import { observeFunds } from './funds.ts'
import { resumeClaim } from './resume.ts'
import type { PayoutServices } from './services.ts'
import {
  checkTarget,
  type DestinationAmbiguous,
  type DestinationNotUsableYet,
  type MemoNotRegistered,
  targetOf,
} from './target.ts'

/** Money to be withdrawn. `mayChangeMemo`: whether the caller may say another memo than the registered one. */
export type NewPayout = {
  readonly assetId: AssetId
  readonly amount: Stroops | 'all'
  readonly destination: string
  readonly memo: Memo | null
  readonly mayChangeMemo: boolean
  readonly metadata: unknown
}

/** The merchant is paid at an account of its own: the money is withdrawn already. */
export type SettlementAccountIsOwn = { readonly _tag: 'SettlementAccountIsOwn' }

export type PayoutFailure =
  | SettlementAccountIsOwn
  | ProcessFailure
  | StoreUnavailable
  | PayoutBookRejection
  | MetadataRejection
  | DestinationUnfit
  | PayoutDestinationNotFound
  | DestinationNotUsableYet
  | DestinationAmbiguous
  | MemoNotRegistered
  | PerhapsPaid

/** How often the ledger is looked at, where payouts have ended in between. */
const mostLooks = 4

/**
 * Withdraws money. Everything that can be checked is checked before the claim, which is decided in the stream of the asset's
 * book; from the claim on the payout comes to its end by itself, even if this process dies. A repeated request is not judged
 * again. Answers the payout as it was requested: pending.
 */
export const requestPayout = async (
  services: PayoutServices,
  context: CommandContext,
  wanted: NewPayout,
): Promise<E.Either<PayoutFailure, PayoutResource>> => {
  const payoutId = createdId(PayoutId, context.at, context.commandId)
  const book = await claim(services, context, payoutId, wanted)
  if (E.isLeft(book)) return book
  const resumed = await resumeClaim(services, context, book.right, payoutId)
  if (E.isLeft(resumed)) return resumed
  const stream = await services.store.readStream(`${Payout.category}-${payoutId}`)()
  if (E.isLeft(stream)) return stream
  const events = stream.right.events.slice(0, 1)
  const approvalId = await neededApproval(services, context, payoutId)
  if (E.isLeft(approvalId)) return approvalId
  return E.right(payoutResource(rowAfter(model, payoutId)({ events, state: fold(Payout, events) }), approvalId.right))
}

/** Claims the money, unless this very command has claimed it before. Answers the book. */
const claim = async (
  services: PayoutServices,
  context: CommandContext,
  payoutId: PayoutId,
  wanted: NewPayout,
): Promise<E.Either<PayoutFailure, Executed<PayoutBookState>>> => {
  if (!context.isFirstRun) {
    const book = await stateOf(services.store)(PayoutBook, bookId(context, wanted.assetId))
    if (E.isLeft(book)) return book
    if (book.right.events.some(({ metadata }) => metadata.commandId === context.commandId)) return book
  }
  const settlement = await services.settlementOf(context.merchantId, context.environment)()
  if (E.isLeft(settlement)) return settlement
  if (settlement.right.custody === 'merchant') return E.left({ _tag: 'SettlementAccountIsOwn' })
  const metadata = mergeMetadata(noMetadata, wanted.metadata ?? {})
  if (E.isLeft(metadata)) return metadata
  const target = await targetOf(services, context, wanted, context.at)
  if (E.isLeft(target)) return target
  for (let looks = 1; ; looks++) {
    const claimed = await claimFor(services, context, payoutId, wanted, target.right, metadata.right)
    if (E.isRight(claimed) || claimed.left._tag !== 'BalanceOutdated' || looks === mostLooks) return claimed
  }
}

const claimFor = async (
  services: PayoutServices,
  context: CommandContext,
  payoutId: PayoutId,
  { assetId, amount }: NewPayout,
  target: PayoutTarget,
  metadata: typeof noMetadata,
): Promise<E.Either<PayoutFailure, Executed<PayoutBookState>>> => {
  const funds = await observeFunds(services, context, [assetId])
  if (E.isLeft(funds)) return funds
  const { spendable, bookedFees } = funds.right.of(assetId)
  const fits = await checkTarget(services, context, target, assetId, amount === 'all' ? spendable : amount)
  if (E.isLeft(fits)) return fits
  const paid = { destination: target.address, assetId, amount: amount === 'all' ? spendable : amount }
  const perhaps = await perhapsPaid(services, context, paid)
  if (perhaps !== null) return E.left(perhaps)
  const decide = PayoutBook.decider.decide({
    type: 'ClaimPayout',
    payoutId,
    amount,
    details: { assetId, target, metadata },
    spendable,
    bookedFees,
    observedAt: funds.right.observedAt,
    epoch: funds.right.epoch,
    source: funds.right.account,
    at: context.at,
  })
  return execute(services.store)(PayoutBook, bookId(context, assetId), context, decide)
}
