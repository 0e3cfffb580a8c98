import { asText } from '@quittance/domain'
import { type SignerUnavailable, signEnvelope } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { feeCapOf } from '../features/outgoing/fees.ts'
import { type Ours, type Outgoing, toTransaction } from '../features/outgoing/outgoing.ts'
import { type AccountSigner, ownAccountAt } from '../features/outgoing/signing-accounts.ts'
import { signerNow } from '../features/outgoing/weightless.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Batch } from './batches.ts'
import type { DraftTransaction, TransactionSource } from './draft.ts'
import { draftAnchor } from './draft-anchor.ts'
import { draftCancellation } from './draft-cancellation.ts'
import { draftCharges } from './draft-charges.ts'
import { draftPayouts } from './draft-payouts.ts'
import { draftRotation } from './draft-rotation.ts'
import { cosignerOf, draftSetUp } from './draft-set-up.ts'
import { draftUpkeep } from './draft-upkeep.ts'

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
  payer: AccountSigner,
): Promise<E.Either<ProcessFailure | SignerUnavailable, Prepared | null>> => {
  const { network, ingested } = outgoing
  const { networkPassphrase } = network.gateway
  const { signer, sequence, bid } = source
  const draft = await draftOf(outgoing, batch, source)
  if (E.isLeft(draft)) return draft
  if (draft.right === null) return E.right(null)
  const { envelopeXdr, transactionHash, maxTime, postponed, ...recordedFields } = draft.right
  const cosigner = await cosignerFor(outgoing, batch, [signer, payer])
  if (E.isLeft(cosigner)) return cosigner
  const signed = await signEnvelope(envelopeXdr, [signer, payer, cosigner.right ?? payer], networkPassphrase)()
  if (E.isLeft(signed)) return signed
  const ours: Ours = { merchantId: batch.merchantId, environment: batch.environment, hash: transactionHash }
  const recorded = await toTransaction(outgoing, ours, ['TransactionAlreadyPrepared'], 'prepare', {
    type: 'PrepareTransaction',
    envelopeXdr: asText(signed.right),
    sourceAccount: signer.account,
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

/** The signer that a batch needs beside those that are there; null if it needs none. */
const cosignerFor = async (
  outgoing: Outgoing,
  batch: Batch,
  present: ReadonlyArray<AccountSigner>,
): Promise<E.Either<ProcessFailure | SignerUnavailable, AccountSigner | null>> => {
  const account = cosignerOf(batch)
  if (account === null || present.some((each) => each.account === account)) return E.right(null)
  const own = await ownAccountAt(outgoing.services, batch, [], account, 'cosigning')
  if (own === null) return E.left({ _tag: 'SignerUnavailable', cause: `the vault has no key for ${account}` })
  const signer = await signerNow(outgoing, batch.environment, own)
  if (E.isLeft(signer) || signer.right !== null) return signer
  return E.left({ _tag: 'SignerUnavailable', cause: `no key of the vault has weight for ${account}` })
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
    case 'rotation':
      return draftRotation(outgoing, batch, source)
    case 'upkeep':
      return draftUpkeep(outgoing, batch, source)
    case 'anchor':
      return E.right(draftAnchor(outgoing, batch, source))
  }
}
