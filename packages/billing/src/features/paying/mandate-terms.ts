import {
  type AccountId,
  type Cycle,
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
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { Network, Services } from '../../services/services.ts'
import { allowanceOf, capOf, expectedClose } from '../mandates/numbers.ts'
import { operatorAccount } from '../outgoing/signing-accounts.ts'
import type { PayFailure } from './pay.ts'
import type { PayableSession } from './payable-session.ts'

const dayMs = 24 * hourMs

/**
 * The terms of a mandate for a wallet, by the quote of its session: charged at once, or for the first time when the trial
 * ends.
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
    const { mandateContract: contract } = network
    const operator = operatorAccount(services, network, found.environment)
    if (contract === null || operator === null) return TE.left<PayFailure>({ _tag: 'MandatesNotConfigured' })
    const firstChargeAt = unixMs(head.closedAt + trialDays * dayMs)
    return pipe(
      services.settlementOf(found.merchantId, found.environment),
      TE.map(({ accepted }) => accepted.find((each) => each.assetId === assetId)?.pegged ?? false),
      TE.bindTo('pegged'),
      TE.let('cap', ({ pegged }) => capOf(quote.amount, pegged)),
      TE.bindW('approval', ({ cap }) =>
        approvalFor(network, head, { contract, customer, assetId, cap, firstChargeAt, interval, intervalCount }),
      ),
      TE.map(({ approval }) => ({
        ...{ contract, customer, payee: destination, operator: operator.signer.publicKey, assetId },
        ...{ intervalUnit: interval, intervalCount, firstChargeAt, endsAt: null },
        ...{ firstAmount: trialDays > 0 ? stroops(0n) : quote.amount, ...approval, reference: id },
      })),
    )
  }

/** What an approval is for: a cap for each interval, from the first charge on. */
type Approved = Pick<MandateTerms, 'contract' | 'customer' | 'assetId' | 'firstChargeAt'> &
  Cycle & { readonly cap: bigint }

/** An approval as long as the network allows, and not shorter than the one that other mandates rely on. */
export const approvalFor = (
  { gateway }: Network,
  head: LedgerHead,
  { contract, customer, assetId, cap, firstChargeAt, ...cycle }: Approved,
): TE.TaskEither<PayFailure, Pick<MandateTerms, 'cap' | 'allowance' | 'allowanceExpiryLedger'>> =>
  pipe(
    readCallLimits(gateway),
    TE.bindTo('limits'),
    TE.bindW('approvals', () => readApprovals(gateway)([{ contract, customer, assetId }])),
    TE.chainEitherKW(({ limits, approvals: [approval] }) => {
      const expiry = Math.max(approval?.lastExpiry ?? 0, latestExpiry(limits, head.sequence))
      const current = approval?.allowance?.amount ?? 0n
      const allowance = allowanceOf(current, cap, firstChargeAt, cycle, expectedClose(expiry, head))
      if (allowance === null || !Stroops.is(cap)) return E.left({ _tag: 'AmountTooLarge' as const })
      return E.right({ cap, allowance, allowanceExpiryLedger: decodeOrThrow(LedgerSequence, expiry) })
    }),
  )
