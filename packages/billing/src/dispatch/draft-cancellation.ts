import { asText, IntentId } from '@quittance/domain'
import { cancelCall, PAYOUT_LIFETIME_MS, prepareCall } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { giveUp } from '../features/outgoing/waiting.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Batch } from './batches.ts'
import type { DraftTransaction, TransactionSource } from './draft.ts'

/**
 * Drafts the call that ends a mandate, and simulates it. Gives the intent up if the contract would refuse the call.
 * Null then, and if the simulation fails.
 */
export const draftCancellation = async (
  outgoing: Outgoing,
  batch: Batch,
  source: TransactionSource,
): Promise<E.Either<ProcessFailure, DraftTransaction | null>> => {
  const { network, ingested, raise } = outgoing
  const { gateway } = network
  const [intent] = batch.intents
  const action = intent?.row.details.action
  if (intent === undefined || action?._tag !== 'mandate_cancellation')
    throw new Error('a cancellation without a mandate')
  const { contractId, mandateId } = action
  const order = {
    sourceAccount: source.signer.account,
    nextAccountSequence: source.sequence,
    ledgerClosedAt: ingested.closedAt,
    lifetimeMs: PAYOUT_LIFETIME_MS,
    notAfter: null,
    fee: source.bid,
    networkPassphrase: gateway.networkPassphrase,
  }
  const prepared = await prepareCall(gateway)(order, cancelCall(contractId, batch.source, mandateId))()
  if (E.isLeft(prepared)) {
    const { left } = prepared
    const number = left._tag === 'SimulationFailed' ? left.contractError : null
    if (number === null) {
      raise({ _tag: 'CannotCharge', contractId, cause: 'cause' in left ? left.cause : left._tag })
      return E.right(null)
    }
    const code = asText(number.toString())
    return E.map(() => null)(await giveUp(outgoing, batch.environment, [{ intent, reason: 'simulation_failed', code }]))
  }
  const { envelopeXdr, transactionHash, maxTime, resourceFee } = prepared.right
  if (source.spendable < source.bid + resourceFee) {
    raise({ _tag: 'FeeSourceCannotPay', account: source.signer.account })
    return E.right(null)
  }
  return E.right({
    envelopeXdr,
    transactionHash,
    maxTime,
    resourceFee,
    intents: [decodeOrThrow(IntentId, intent.id)],
    postponed: [],
  })
}
