import {
  type AssetId,
  type Environment,
  feesOwed,
  hourMs,
  type IntentId,
  PayoutBook,
  type PayoutClaim,
  PayoutId,
} from '@quittance/domain'
import type { Found, IntentRow, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { bookId } from '../../kernel/payout-book.ts'
import { eachIsolated, type IsolationServices } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { type FundsServices, type ObserveFailure, observeFunds } from './funds.ts'

/** How long a payout waits for money that went to refunds and returns instead. */
export const longestPayoutWaitMs = 24 * hourMs

type Coverage = {
  readonly covered: ReadonlyArray<Found<IntentRow>>
  readonly short: ReadonlyArray<Found<IntentRow>>
}

/**
 * Chooses the waiting payouts that can be sent now. Refunds and returns go before them, then payouts that are under way, and
 * a schedule's reserve and the operator's fees stay, which only a collection of them takes. The oldest come first, and each takes what the next cannot have. If the balance cannot be
 * observed, none is sent. What came in ledgers that were not ingested yet stays. `short` are those that the balance does not
 * cover; those that it may cover once these ledgers are ingested are neither.
 */
export const coveredPayouts = async (
  services: FundsServices & IsolationServices,
  environment: Environment,
  waiting: ReadonlyArray<Found<IntentRow>>,
): Promise<E.Either<ProcessFailure, Coverage>> => {
  const [covered, short]: [Array<Found<IntentRow>>, Array<Found<IntentRow>>] = [[], []]
  const left = new Map<string, Sendable | null>()
  const choose = async (intent: Found<IntentRow>): Promise<E.Either<ProcessFailure, void>> => {
    const wanted = await wantedBy(services, intent)
    if (wanted === null) return E.right(undefined)
    const { scope, assetId, claim } = wanted
    const book = bookId(scope, assetId)
    const known = left.get(book)
    const sendable = known === undefined ? await sendableOf(services, scope, assetId, null) : E.right(known)
    if (E.isLeft(sendable)) return sendable
    left.set(book, sendable.right)
    if (sendable.right === null) return E.right(undefined)
    const isCovered = covers(sendable.right, claim)
    const { amount, isCertain } = sendable.right
    left.set(book, { ...sendable.right, amount: isCovered ? amount - claim.details.amount : amount })
    if (isCovered) covered.push(intent)
    else if (isCertain) short.push(intent)
    return E.right(undefined)
  }
  const chosen = await eachIsolated(services, environment, {
    loop: 'payout_funds',
    items: waiting,
    again: async () => null,
    work: choose,
  })
  return E.isLeft(chosen) ? chosen : E.right({ covered, short })
}

/** Whether a payout that is about to be released is still covered: a refund may have been claimed since it was chosen. */
export const isPayoutCovered = async (services: FundsServices, id: IntentId): Promise<boolean> => {
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return false
  const intent = await services.readModels.intents.withId(id)
  const wanted = intent === null ? null : await wantedBy(services, intent)
  if (wanted === null) return false
  const { scope, assetId, claim } = wanted
  const known = await sendableOf(services, scope, assetId, claim.payoutId)
  return E.isRight(known) && known.right !== null && covers(known.right, claim)
}

/** What payouts may take now, of which so much is owed to the operator; unless it `isCertain`, it may be more. */
type Sendable = { readonly amount: bigint; readonly owed: bigint; readonly isCertain: boolean }

const covers = ({ amount, owed }: Sendable, { details }: PayoutClaim): boolean =>
  amount >= details.amount + details.keep + (details.purpose === 'platform_fee' ? 0n : owed)

/**
 * What payouts may take now, not counting what the payout `but` takes, nor what has just arrived, which may be others'. Null:
 * nobody knows how much that is.
 */
const sendableOf = async (
  services: FundsServices,
  scope: Scope,
  assetId: AssetId,
  but: PayoutId | null,
): Promise<E.Either<ObserveFailure, Sendable | null>> => {
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const { payoutClaims, intents } = services.readModels
  const book = (await payoutClaims.withId(bookId(scope, assetId)))?.row ?? PayoutBook.decider.initial
  const underWay = await filterInTurn(
    book.claims,
    async ({ payoutId }) =>
      payoutId !== but && (await intents.withKey(payoutId)).some(({ row }) => row.status === 'attached'),
  )
  const taken = underWay.reduce((sum, { details }) => sum + details.amount, 0n)
  const funds = await observeFunds(services, scope, [assetId])
  if (E.isLeft(funds)) return funds
  const arrived = await funds.right.arrived()
  if (E.isLeft(arrived)) return E.right(null)
  const { spendable, bookedFees } = funds.right.of(assetId)
  const owed = feesOwed(book, bookedFees)
  const amount = spendable - taken - arrived.right(assetId)
  return E.right({ amount, owed: owed > 0n ? owed : 0n, isCertain: funds.right.isIngested })
}

type Wanted = { readonly scope: Scope; readonly assetId: AssetId; readonly claim: PayoutClaim }

/** Null if the payout has ended, and has no claim any more. */
const wantedBy = async (
  { readModels }: Pick<Services, 'readModels'>,
  { merchantId, environment, row: { details } }: Found<IntentRow>,
): Promise<Wanted | null> => {
  if (details.action._tag !== 'payment') return null
  const scope = { merchantId, environment }
  const { assetId } = details.action
  const payoutId = decodeOrThrow(PayoutId, details.owner)
  const claims = (await readModels.payoutClaims.withId(bookId(scope, assetId)))?.row.claims ?? []
  const claim = claims.find((each) => each.payoutId === payoutId)
  return claim === undefined ? null : { scope, assetId, claim }
}
