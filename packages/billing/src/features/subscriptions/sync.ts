import { LedgerSequence, Stroops, Subscription, type SubscriptionRecord } from '@quittance/domain'
import { type MandateStanding, readMandates } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { execute } from '../../kernel/execute.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { within } from '../../services/within.ts'
import { expectedClose } from '../mandates/numbers.ts'

/** The longest wait for a node's answer. */
const longestMs = 2_000

/**
 * Reads the authorisation from a node and records when its allowance becomes enough for a charge or too little for one.
 * It records nothing else: only closed ledgers confirm charges. Returns true if the ledger shows an end of the mandate
 * that was not ingested yet, and false if no node answers in time.
 */
export const syncWithLedger = async (
  services: Pick<Services, 'store' | 'cursors' | 'networks'>,
  scope: Scope,
  id: string,
  { authorization, details, lifecycle }: SubscriptionRecord,
): Promise<boolean> => {
  const network = services.networks[scope.environment]
  if (network === null || lifecycle._tag === 'canceled' || authorization.ended !== null) return false
  const { contract, mandateId, customer, cap, approval } = authorization.mandate
  const read = readMandates(network.gateway)([{ contract, mandate: mandateId, customer, assetId: details.assetId }])
  const standings = await within(longestMs, read())
  if (standings === null || E.isLeft(standings)) return false
  const [standing] = standings.right
  if (standing?.record?.isCancelled === true) return true
  const seen = standing === undefined ? null : allowedBy(standing)
  if (standing === undefined || seen === null || seen >= cap === approval.allowance >= cap) return false
  const closedAt = await services.cursors.closedAt(scope.environment)
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
      // The allowance suffices again, so it was approved since.
      approvedAt: seen >= cap ? closedAt : approval.approvedAt,
    },
  }
  const context = stepContext(scope, derivedCommandId(id, `allowance as of ${standing.asOf}`), 'sync', closedAt)
  await execute(services.store)(Subscription, id, context, Subscription.decider.decide(command))
  return false
}

/** The allowance on the ledger; null if it exceeds what any token could move. */
const allowedBy = ({ allowance }: MandateStanding): Stroops | null => {
  const amount = allowance?.amount ?? 0n
  return Stroops.is(amount) ? amount : null
}
