import { asText } from '@quittance/domain'
import { type Signer, type SignerUnavailable, signEnvelope } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { feeCapOf } from '../features/outgoing/fees.ts'
import { type Ours, type Outgoing, toTransaction } from '../features/outgoing/outgoing.ts'
import { signerFor } from '../features/outgoing/signing-accounts.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Batch } from './batches.ts'
import type { DraftTransaction, TransactionSource } from './draft.ts'
import { draftCancellation } from './draft-cancellation.ts'
import { draftCharges } from './draft-charges.ts'
import { draftPayouts } from './draft-payouts.ts'
import { cosignerOf, draftSetUp } from './draft-set-up.ts'

/** A recorded transaction, and the intents of its batch that did not fit into it. */
export type Prepared = { readonly ours: Ours; readonly postponed: DraftTransaction['postponed'] }

/**
 * Builds and signs one transaction of a batch, and records it before anything else happens to it. Null if nothing can
 * be sent now, or if the same bytes are already recorded for other intents: the next ledger changes the bytes.
 */
export const prepare = async (
  outgoing: Outgoing,
  batch: Batch,
  source: TransactionSource,
  payer: Signer,
): Promise<E.Either<ProcessFailure | SignerUnavailable, Prepared | null>> => {
  const { network, ingested } = outgoing
  const { networkPassphrase } = network.gateway
  const { signer, sequence, bid } = source
  const draft = await draftOf(outgoing, batch, source)
  if (E.isLeft(draft)) return draft
  if (draft.right === null) return E.right(null)
  const { envelopeXdr, transactionHash, maxTime, postponed, ...recordedFields } = draft.right
  const cosigner = cosignerOf(batch)
  const second = cosigner === null ? payer : signerFor(outgoing.services, batch, [], cosigner)
  if (second === null) return E.left({ _tag: 'SignerUnavailable', cause: `the vault has no key for ${cosigner}` })
  const signed = await signEnvelope(envelopeXdr, [signer, payer, second], networkPassphrase)()
  if (E.isLeft(signed)) return signed
  const ours: Ours = { merchantId: batch.merchantId, environment: batch.environment, hash: transactionHash }
  const recorded = await toTransaction(outgoing, ours, ['TransactionAlreadyPrepared'], 'prepare', {
    type: 'PrepareTransaction',
    envelopeXdr: asText(signed.right),
    sourceAccount: signer.publicKey,
    accountSequence: sequence,
    maxTime,
    preparedAfter: ingested.sequence,
    preparedAt: ingested.closedAt,
    class: batch.class,
    fee: bid,
    feeCap: feeCapOf(batch.class),
    ...recordedFields,
  })
  if (E.isLeft(recorded)) return recorded
  return E.right(recorded.right === null ? null : { ours, postponed })
}

const draftOf = async (
  outgoing: Outgoing,
  batch: Batch,
  source: TransactionSource,
): Promise<E.Either<ProcessFailure, DraftTransaction | null>> => {
  switch (batch.class) {
    case 'refund':
    case 'return':
    case 'payout':
      return draftPayouts(outgoing, batch, source)
    case 'charge':
      return draftCharges(outgoing, batch, source)
    case 'cancellation':
      return draftCancellation(outgoing, batch, source)
    case 'set_up':
      return E.right(draftSetUp(outgoing, batch, source))
  }
}
