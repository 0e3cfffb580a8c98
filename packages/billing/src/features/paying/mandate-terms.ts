import { type Cycle, dayMs, LedgerSequence, Stroops, type SubscriptionPlan, stroops, unixMs } from '@quittance/domain'
import {
  type AccountView,
  type LedgerHead,
  latestExpiry,
  type MandateTerms,
  readApprovals,
  readCallLimits,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { Network, Services } from '../../services/services.ts'
import { allowanceOf, capOf, expectedClose } from '../mandates/numbers.ts'
import { operatorOfNew } from '../outgoing/signing-accounts.ts'
import type { PayFailure } from './pay.ts'
import type { PayableSession } from './payable-session.ts'

/** What an offer is made from: the ledger and the wallet's account as they are now, and the bid. */
export type OfferBasis = {
  readonly network: Network
  readonly head: LedgerHead
  readonly account: AccountView
  readonly trialDays: number
  readonly bid: Stroops
}

/**
 * The terms of a wallet's mandate, by the quote of its session. The first charge is due at once, or when the trial
 * ends.
 */
export const mandateTerms = async (
  services: Pick<Services, 'vault' | 'clock' | 'settlementOf'>,
  { session: { reference, found, state }, quote }: PayableSession,
  { interval, intervalCount }: SubscriptionPlan,
  { network, head, account: { account: customer }, trialDays }: OfferBasis,
): Promise<E.Either<PayFailure, MandateTerms>> => {
  const { assetId, destination } = state.details
  const { mandateContract: contract } = network
  const settlement = await services.settlementOf(found.merchantId, found.environment)()
  if (E.isLeft(settlement)) return settlement
  const operator = await operatorOfNew(services, found.environment, settlement.right.operator)
  if (contract === null || operator === null) return E.left({ _tag: 'MandatesNotConfigured' })
  const pegged = settlement.right.accepted.find((each) => each.assetId === assetId)?.pegged ?? false
  const cap = capOf(quote.amount, pegged)
  const firstChargeAt = unixMs(head.closedAt + trialDays * dayMs)
  const approved = { contract, customer, assetId, cap, firstChargeAt, interval, intervalCount }
  const approval = await approvalFor(network, head, approved)
  if (E.isLeft(approval)) return approval
  return E.right({
    ...{ contract, customer, payee: destination, operator, assetId },
    ...{ intervalUnit: interval, intervalCount, firstChargeAt, endsAt: null },
    ...{ firstAmount: trialDays > 0 ? stroops(0n) : quote.amount, ...approval.right, reference },
  })
}

/** What an approval must cover: a cap for each interval, from the first charge on. */
type Approved = Pick<MandateTerms, 'contract' | 'customer' | 'assetId' | 'firstChargeAt'> &
  Cycle & { readonly cap: bigint }

/**
 * An approval for as long as the network allows, and never shorter than the present one, on which other mandates rely.
 */
export const approvalFor = async (
  { gateway }: Network,
  head: LedgerHead,
  { contract, customer, assetId, cap, firstChargeAt, ...cycle }: Approved,
): Promise<E.Either<PayFailure, Pick<MandateTerms, 'cap' | 'allowance' | 'allowanceExpiryLedger'>>> => {
  const limits = await readCallLimits(gateway)()
  if (E.isLeft(limits)) return limits
  const approvals = await readApprovals(gateway)([{ contract, customer, assetId }])()
  if (E.isLeft(approvals)) return approvals
  const [approval] = approvals.right
  // The last one cannot be later, unless the network has lowered its maximum since: then it binds nobody.
  const expiry = latestExpiry(limits.right, approval?.asOf ?? head.sequence)
  const current = approval?.allowance?.amount ?? 0n
  const allowance = allowanceOf(current, cap, firstChargeAt, cycle, expectedClose(expiry, head))
  if (allowance === null || !Stroops.is(cap)) return E.left({ _tag: 'AmountTooLarge' })
  return E.right({ cap, allowance, allowanceExpiryLedger: decodeOrThrow(LedgerSequence, expiry) })
}
