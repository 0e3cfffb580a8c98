import { asText, count, type Environment, LedgerIngestion } from '@quittance/domain'
import type { PassedOverLedger } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../kernel/execute.ts'
import { platform } from '../kernel/platform.ts'
import { stepUnless } from '../kernel/step.ts'
import { stepContext } from '../kernel/step-context.ts'
import type { Services } from '../services/services.ts'

const longestCause = 200

/**
 * Records a ledger, or transactions of it, that cannot be decoded and hold nothing of ours. False if too many ledgers of its
 * protocol were passed over.
 */
export const recordPassedOver = async (
  { store }: Pick<Services, 'store'>,
  environment: Environment,
  { sequence: ledger, hash, closedAt, protocol, cause, transactions }: PassedOverLedger,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const context = stepContext({ merchantId: platform, environment }, `${environment}/${hash}`, 'pass over', closedAt)
  const passed = {
    ...{ ledger, closedAt, protocol: count(protocol) },
    ...{ hash: asText(hash), cause: asText(cause.toWellFormed().replaceAll('\u0000', '').slice(0, longestCause)) },
  }
  const decide = LedgerIngestion.decider.decide({ type: 'PassOver', ...passed, ...(transactions && { transactions }) })
  const recorded = await stepUnless(store)(['TooManyPassedOver'], LedgerIngestion, environment, context, decide)
  return E.map((executed: unknown) => executed !== null)(recorded)
}
