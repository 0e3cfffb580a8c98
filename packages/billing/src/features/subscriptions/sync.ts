import { LedgerSequence, Stroops, Subscription, type SubscriptionRecord } from '@quittance/domain'
import { type MandateStanding, readMandates } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { execute } from '../../kernel/execute.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { expectedClose } from '../mandates/numbers.ts'

/** Whoever asks waits no longer for the ledger than this. */
const longestMs = 2_000

/**
 * Looks at what the ledger shows of the authorisation, and records where that crosses the line between enough for a charge and too
 * little: never more, since what was charged and what was missed is known from closed ledgers alone. Nobody is kept waiting by a
 * node that does not answer. True where the ledger shows the mandate ended, and no process has met that yet.
 */
export const syncWithLedger =
  (services: Services) =>
  (scope: Scope, id: string, { authorization, details, lifecycle }: SubscriptionRecord): T.Task<boolean> =>
  async () => {
    const network = services.networks[scope.environment]
    if (network === null || lifecycle._tag === 'canceled' || authorization.ended !== null) return false
    const { contract, mandateId, customer, cap, approval } = authorization.mandate
    const read = readMandates(network.gateway)([{ contract, mandate: mandateId, customer, assetId: details.assetId }])
    const standings = await Promise.race([read(), afterwards(longestMs)])
    if (standings === null || E.isLeft(standings)) return false
    const [standing] = standings.right
    if (standing?.record?.isCancelled === true) return true
    const seen = standing === undefined ? null : allowedBy(standing)
    if (standing === undefined || seen === null || seen >= cap === approval.allowance >= cap) return false
    const closedAt = services.cursors.closedAt(scope.environment)
    if (closedAt === null) return false
    const allowanceExpiryLedger = decodeOrThrow(
      LedgerSequence,
      standing.allowance?.liveUntil ?? approval.allowanceExpiryLedger,
    )
    const command = {
      type: 'RecordAllowance' as const,
      mandateId,
      approval: {
        allowance: seen,
        allowanceExpiryLedger,
        expiresAt: expectedClose(allowanceExpiryLedger, { sequence: standing.asOf, closedAt }),
        // There is enough again: it was approved since.
        approvedAt: seen >= cap ? closedAt : approval.approvedAt,
      },
    }
    const context = stepContext(scope, derivedCommandId(id, `allowance as of ${standing.asOf}`), 'sync', closedAt)
    await execute(services.store)(Subscription, id, context, Subscription.decider.decide(command))
    return false
  }

/** What the ledger allows to be taken, as far as any token could move it. */
const allowedBy = ({ allowance }: MandateStanding): Stroops | null => {
  const amount = allowance?.amount ?? 0n
  return Stroops.is(amount) ? amount : null
}

const afterwards = (ms: number): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), ms).unref())
