import {
  type AssetId,
  assetCode,
  type ContractId,
  type Count,
  dayMs,
  decimalFromStroops,
  type Enrolment,
  type MandateId,
  type MandateOffer,
  type Quote,
  type SubscriptionPlan,
  stroops,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { timestamp } from '../../resources/fields.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'
import { capOf } from '../mandates/numbers.ts'
import { trialDaysFor } from '../mandates/trials.ts'
import type { PayerServices } from './services.ts'
import type { PublicSession } from './session.ts'

type Agreed = {
  readonly contract: ContractId | null
  readonly assetId: AssetId
  readonly cap: bigint
  readonly firstAmount: bigint
  /** The debt of a subscription that waits for this mandate. */
  readonly owed?: bigint
  /** The mandate that ends by the signature. */
  readonly replaces?: MandateId | null
  readonly trialDays: Count
  readonly trialEndsAt: UnixMs
} & Pick<SubscriptionPlan, 'interval' | 'intervalCount'>

/** What a payer agrees to: `first_amount` at once, then at most `cap` for each interval until the mandate ends. */
export const agreedFacts = ({
  contract,
  assetId,
  cap,
  firstAmount,
  owed = 0n,
  replaces = null,
  trialDays,
  trialEndsAt,
  interval,
  intervalCount,
}: Agreed) => ({
  contract_id: contract,
  asset_code: assetCode(assetId),
  first_amount: decimalFromStroops(stroops(firstAmount)),
  owed: decimalFromStroops(stroops(owed)),
  cap: decimalFromStroops(stroops(cap)),
  interval,
  interval_count: intervalCount,
  trial_days: trialDays,
  trial_ends_at: trialDays > 0 ? timestamp(trialEndsAt) : null,
  replaces,
})
export type MandateFacts = ReturnType<typeof agreedFacts>

/** The facts of an offered mandate. Once it is signed, `trialEndsAt` counts from the close of its ledger. */
export const offeredFacts = (offer: MandateOffer, trialEndsAt = offer.firstChargeAt): MandateFacts =>
  agreedFacts({ ...offer, trialEndsAt })

/** When the trial of an accepted mandate ends. */
export const trialEnd = ({ closedAt, trialDays }: Enrolment): UnixMs => unixMs(closedAt + trialDays * dayMs)

/** The facts of the mandate that a session would offer now, before the wallet is known; null without a subscription. */
export const expectedFacts = async (
  services: PayerServices,
  session: PublicSession,
  quote: Quote | null,
): Promise<E.Either<StoreUnavailable | MerchantNotReady, MandateFacts | null>> => {
  const { found, state } = session
  const { assetId, subscription: plan } = state.details
  if (plan === undefined || quote === null) return E.right(null)
  const settlement = await services.settlementOf(found.merchantId, found.environment)()
  if (E.isLeft(settlement)) return settlement
  const trialDays = await trialDaysFor(services, session, plan, null)
  if (E.isLeft(trialDays)) return trialDays
  const days = trialDays.right
  const pegged = settlement.right.accepted.find((each) => each.assetId === assetId)?.pegged ?? false
  return E.right(
    agreedFacts({
      ...plan,
      contract: services.networks[found.environment]?.mandateContract ?? null,
      assetId,
      cap: capOf(quote.amount, pegged),
      firstAmount: days > 0 ? 0n : quote.amount,
      trialDays: days,
      trialEndsAt: unixMs(services.clock.now(found.environment) + days * dayMs),
    }),
  )
}
