import {
  type AccountId,
  hourMs,
  LedgerSequence,
  Stroops,
  type SubscriptionPlan,
  stroops,
  unixMs,
} from '@quittance/domain'
import { type LedgerHead, latestExpiry, type MandateTerms, readApprovals, readCallLimits } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PayFailure } from '../checkouts/pay.ts'
import type { PayableSession } from '../checkouts/payable-session.ts'
import { decodeOrThrow } from '../decode.ts'
import type { Network, Services } from '../services.ts'
import { operatorAccount } from '../settlement/keys.ts'
import { allowanceOf, capOf, expectedClose } from './numbers.ts'

const dayMs = 24 * hourMs

/**
 * The terms of a mandate for a wallet, by the quote of its session: charged at once, or for the first time when the trial
 * ends. The approval lasts as long as the network allows, and not shorter than the one that other mandates rely on.
 */
export const mandateTerms =
  (services: Services) =>
  (
    { session: { id, found, state }, quote }: PayableSession,
    { interval, intervalCount }: SubscriptionPlan,
    network: Network,
    head: LedgerHead,
    customer: AccountId,
    trialDays: number,
  ): TE.TaskEither<PayFailure, MandateTerms> => {
    const { assetId, destination } = state.details
    const { gateway, mandateContract: contract } = network
    const operator = operatorAccount(services, network, found.environment)
    if (contract === null || operator === null) return TE.left<PayFailure>({ _tag: 'MandatesNotConfigured' })
    return pipe(
      services.settlementOf(found.merchantId, found.environment),
      TE.bindTo('settlement'),
      TE.bindW('limits', () => readCallLimits(gateway)),
      TE.bindW('approvals', () => readApprovals(gateway)([{ contract, customer, assetId }])),
      TE.chainEitherKW(({ settlement: { accepted }, limits, approvals: [approval] }) => {
        const cap = capOf(quote.amount, accepted.find((each) => each.assetId === assetId)?.pegged ?? false)
        const expiry = Math.max(approval?.lastExpiry ?? 0, latestExpiry(limits, head.sequence))
        const firstChargeAt = unixMs(head.closedAt + trialDays * dayMs)
        const current = approval?.allowance?.amount ?? 0n
        const cycle = { interval, intervalCount }
        const allowance = allowanceOf(current, cap, firstChargeAt, cycle, expectedClose(expiry, head))
        if (allowance === null || !Stroops.is(cap)) return E.left({ _tag: 'AmountTooLarge' as const })
        return E.right({
          ...{ contract, customer, payee: destination, operator: operator.signer.publicKey, assetId, cap },
          ...{ intervalUnit: interval, intervalCount, firstChargeAt, endsAt: null },
          ...{ firstAmount: trialDays > 0 ? stroops(0n) : quote.amount, allowance },
          ...{ allowanceExpiryLedger: decodeOrThrow(LedgerSequence, expiry), reference: id },
        })
      }),
    )
  }
