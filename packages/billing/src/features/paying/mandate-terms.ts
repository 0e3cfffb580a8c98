import {
  type AccountId,
  type Cycle,
  dayMs,
  LedgerSequence,
  Stroops,
  type SubscriptionPlan,
  stroops,
  unixMs,
} from '@quittance/domain'
import { type LedgerHead, latestExpiry, type MandateTerms, readApprovals, readCallLimits } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { Network, Services } from '../../services/services.ts'
import { allowanceOf, capOf, expectedClose } from '../mandates/numbers.ts'
import { operatorAccount } from '../outgoing/signing-accounts.ts'
import type { PayFailure } from './pay.ts'
import type { PayableSession } from './payable-session.ts'

/**
 * The terms of a mandate for a wallet, by the quote of its session: charged at once, or for the first time when the trial
 * ends.
 */
export const mandateTerms = async (
  services: Services,
  { session: { id, found, state }, quote }: PayableSession,
  { interval, intervalCount }: SubscriptionPlan,
  network: Network,
  head: LedgerHead,
  customer: AccountId,
  trialDays: number,
): Promise<E.Either<PayFailure, MandateTerms>> => {
  const { assetId, destination } = state.details
  const { mandateContract: contract } = network
  const operator = operatorAccount(services, network, found.environment)
  if (contract === null || operator === null) return E.left({ _tag: 'MandatesNotConfigured' })
  const settlement = await services.settlementOf(found.merchantId, found.environment)()
  if (E.isLeft(settlement)) return settlement
  const pegged = settlement.right.accepted.find((each) => each.assetId === assetId)?.pegged ?? false
  const cap = capOf(quote.amount, pegged)
  const firstChargeAt = unixMs(head.closedAt + trialDays * dayMs)
  const approved = { contract, customer, assetId, cap, firstChargeAt, interval, intervalCount }
  const approval = await approvalFor(network, head, approved)
  if (E.isLeft(approval)) return approval
  return E.right({
    ...{ contract, customer, payee: destination, operator: operator.signer.publicKey, assetId },
    ...{ intervalUnit: interval, intervalCount, firstChargeAt, endsAt: null },
    ...{ firstAmount: trialDays > 0 ? stroops(0n) : quote.amount, ...approval.right, reference: id },
  })
}

/** What an approval is for: a cap for each interval, from the first charge on. */
type Approved = Pick<MandateTerms, 'contract' | 'customer' | 'assetId' | 'firstChargeAt'> &
  Cycle & { readonly cap: bigint }

/** An approval as long as the network allows, and not shorter than the one that other mandates rely on. */
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
  const expiry = Math.max(approval?.lastExpiry ?? 0, latestExpiry(limits.right, head.sequence))
  const current = approval?.allowance?.amount ?? 0n
  const allowance = allowanceOf(current, cap, firstChargeAt, cycle, expectedClose(expiry, head))
  if (allowance === null || !Stroops.is(cap)) return E.left({ _tag: 'AmountTooLarge' })
  return E.right({ cap, allowance, allowanceExpiryLedger: decodeOrThrow(LedgerSequence, expiry) })
}
