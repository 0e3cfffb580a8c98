import { asText, Intent, TransactionHash } from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { closeOut } from '../../dispatch/close-out.ts'
import { reportEnds } from '../../dispatch/report.ts'
import { type Ours, type Outgoing, toTransaction, transactionNow } from '../../features/outgoing/outgoing.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { step } from '../../kernel/step.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { type Ending, type EndSome, endEach, endingStep } from './ending.ts'

const everything = Number.MAX_SAFE_INTEGER
const networkReset = asText('network_reset')

/**
 * Ends transactions under way: no ledger will hold one that is not in an ingested ledger. Then gives up what they carried and
 * whatever still waits to be sent, and tells the owners.
 */
export const endOutgoing =
  (ingested: LedgerHead): EndSome =>
  async (ending) => {
    const { services, environment } = ending
    const outgoing = { services, ingested }
    const transactions = await endEach(
      await Array.fromAsync(services.readModels.ledgerTransactions.due(environment, everything)),
      (row) => endTransaction(ending, outgoing, { ...row, hash: decodeOrThrow(TransactionHash, row.id) }),
    )
    if (E.isLeft(transactions)) return transactions
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const due = await Array.fromAsync(services.readModels.intents.due(environment, everything))
    const intents = await endEach(
      due.filter(({ row }) => row.status === 'waiting'),
      ({ id, merchantId }) =>
        step(services.store)(
          Intent,
          id,
          endingStep(ending, merchantId, id),
          Intent.decider.decide({ type: 'GiveUpIntent', reason: 'network_reset' }),
        ),
    )
    if (E.isLeft(intents)) return intents
    const again = await services.caughtUp.withLog()
    if (E.isLeft(again)) return again
    const reported = await reportEnds(outgoing, environment)
    return E.isLeft(reported) ? reported : E.right(transactions.right + due.length)
  }

const endTransaction = async (
  { services, at }: Ending,
  outgoing: Pick<Outgoing, 'services' | 'ingested'>,
  ours: Ours,
): Promise<E.Either<ProcessFailure, unknown>> => {
  const found = await transactionNow(services, ours)
  if (E.isLeft(found)) return found
  const { status } = found.right
  const ended =
    status === 'prepared'
      ? await toTransaction(outgoing, ours, [], 'network reset', { type: 'WithdrawTransaction', reason: 'canceled' })
      : status === 'released'
        ? await toTransaction(outgoing, ours, [], 'network reset', {
            type: 'DecideEnd',
            as: 'dead',
            closedAt: at,
            by: networkReset,
            reason: networkReset,
          })
        : E.right(null)
  if (E.isLeft(ended)) return ended
  const now = await transactionNow(services, ours)
  if (E.isLeft(now)) return now
  return 'end' in now.right && now.right.status !== 'closed' ? closeOut(outgoing, ours, now.right) : E.right(undefined)
}
