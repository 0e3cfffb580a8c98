import { asText } from '@quittance/domain'
import { type Signer, type SignerUnavailable, signEnvelope } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { feeCapOf } from '../features/outgoing/fees.ts'
import { type Ours, type Outgoing, toTransaction } from '../features/outgoing/outgoing.ts'
import { signerFor } from '../features/outgoing/signing-accounts.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Batch } from './batches.ts'
import type { Drawn, Source } from './draft.ts'
import { drawCancellation } from './draft-cancellation.ts'
import { drawCharges } from './draft-charges.ts'
import { drawPayouts } from './draft-payouts.ts'
import { cosignerOf, drawSetUp } from './draft-set-up.ts'

/** A transaction that is recorded, and what of its batch did not fit into it. */
export type Prepared = { readonly ours: Ours; readonly postponed: Drawn['postponed'] }

/**
 * Builds and signs one transaction of a batch, and records it before anything else happens with it. Null where nothing of
 * it can be sent now, or the same bytes were prepared for something else: with the next ledger they are others.
 */
export const prepare = async (
  outgoing: Outgoing,
  batch: Batch,
  source: Source,
  payer: Signer,
): Promise<E.Either<ProcessFailure | SignerUnavailable, Prepared | null>> => {
  const { network, ingested } = outgoing
  const { networkPassphrase } = network.gateway
  const { signer, sequence, bid } = source
  const drawn = await draw(outgoing, batch, source)
  if (E.isLeft(drawn)) return drawn
  if (drawn.right === null) return E.right(null)
  const { envelopeXdr, transactionHash, maxTime, postponed, ...carried } = drawn.right
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
    ...carried,
  })
  if (E.isLeft(recorded)) return recorded
  return E.right(recorded.right === null ? null : { ours, postponed })
}

const draw = async (
  outgoing: Outgoing,
  batch: Batch,
  source: Source,
): Promise<E.Either<ProcessFailure, Drawn | null>> => {
  switch (batch.class) {
    case 'refund':
    case 'return':
    case 'payout':
      return drawPayouts(outgoing, batch, source)
    case 'charge':
      return drawCharges(outgoing, batch, source)
    case 'cancellation':
      return drawCancellation(outgoing, batch, source)
    case 'set_up':
      return E.right(drawSetUp(outgoing, batch, source))
  }
}
