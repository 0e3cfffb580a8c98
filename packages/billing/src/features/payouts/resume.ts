import {
  type AssetId,
  asText,
  type Environment,
  Payout,
  PayoutBook,
  type PayoutClaim,
  type PayoutId,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import { fold, step } from '../../kernel/execute.ts'
import { assetOfBook, bookId } from '../../kernel/payout-book.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { recordIntent } from '../outgoing/record-intent.ts'

/** Carries on every payout of an environment that is claimed: a crash may have come after any step. */
export const resumePayouts = (services: Services, environment: Environment): Promise<E.Either<ProcessFailure, void>> =>
  eachIsolated(services, environment, {
    loop: 'payouts',
    items: services.readModels.payoutClaims.due(environment, Number.MAX_SAFE_INTEGER),
    again: ({ id }) => services.readModels.payoutClaims.withId(id),
    work: ({ merchantId, id, row }) => carryAll(services, { merchantId, environment }, assetOfBook(id), row.claims),
  })

const carryAll = async (
  services: Services,
  scope: Scope,
  assetId: AssetId,
  claims: ReadonlyArray<PayoutClaim>,
): Promise<E.Either<ProcessFailure, void>> => {
  for (const { payoutId } of claims) {
    // Its intent is recorded: from then on the worker brings it to its end, and tells the payout.
    if (services.readModels.intents.withKey(payoutId).length > 0) continue
    const carried = await resumePayout(services, scope, assetId, payoutId)
    if (E.isLeft(carried)) return carried
  }
  return E.right(undefined)
}

/**
 * Brings a claimed payout forward from wherever it stands: requested, the intent to pay recorded. Each step has an id that
 * derives from the payout, so this can be ingested again at any time, by any process, also after the end, and writes only
 * what is missing.
 */
export const resumePayout = async (
  services: Services,
  scope: Scope,
  assetId: AssetId,
  payoutId: PayoutId,
): Promise<E.Either<ProcessFailure, void>> => {
  const book = await services.store.readStream(`${PayoutBook.category}-${bookId(scope, assetId)}`)()
  if (E.isLeft(book)) return book
  const claim = fold(PayoutBook, book.right.events).claims.find((each) => each.payoutId === payoutId)
  return claim === undefined ? E.right(undefined) : carry(services, scope, claim)
}

const carry = async (
  services: Services,
  { merchantId, environment }: Scope,
  { payoutId, details, claimedAt: at }: PayoutClaim,
): Promise<E.Either<ProcessFailure, void>> => {
  const scope = { merchantId, environment }
  const context = stepContext(scope, derivedCommandId(environment, payoutId), 'request', at)
  const decide = Payout.decider.decide({ type: 'RequestPayout', ...details })
  const requested = await step(services.store)(Payout, payoutId, context, decide)
  if (E.isLeft(requested)) return requested
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const { assetId, amount, target } = details
  const { address: destination, memo, muxedId } = target
  const muxed = muxedId === undefined ? {} : { destinationMuxedId: muxedId }
  const intent = await recordIntent(services, scope, {
    class: 'payout',
    owner: asText(payoutId),
    source: settlement.right.account,
    action: { _tag: 'payment', destination, assetId, amount, ...muxed },
    memo: memo?.type === 'text' ? memo.value : null,
    ...(memo?.type === 'id' ? { memoId: memo.value } : {}),
    at,
  })
  return E.map(() => undefined)(intent)
}
