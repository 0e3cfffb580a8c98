import { type AccountSequence, asText, IntentId, type Stroops, type Text } from '@quittance/domain'
import { buildPayouts, PAYOUT_LIFETIME_MS, type Signer, type SignerUnavailable, signEnvelope } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../decode.ts'
import type { ExecuteFailure } from '../execute.ts'
import { unlessRejected } from '../processes/steps.ts'
import type { Batch } from './batches.ts'
import { feeCapOf } from './fees.ts'
import { paidFor } from './paid-for.ts'
import { type Ours, type Outgoing, toTransaction } from './walk.ts'

/** What lends its sequence number and pays the fee, and what each operation bids. */
export type Source = { readonly signer: Signer; readonly sequence: AccountSequence; readonly bid: Stroops }

/**
 * Builds and signs one transaction of a batch, and records it before anything else happens with it. Null where the same
 * bytes were prepared for something else: with the next ledger they are others.
 */
export const prepare =
  (
    { services, network, walked }: Pick<Outgoing, 'services' | 'network' | 'walked'>,
    batch: Batch,
    { signer, sequence, bid }: Source,
    payer: Signer,
  ): TE.TaskEither<ExecuteFailure | SignerUnavailable, Ours | null> =>
  async () => {
    const { networkPassphrase } = network.gateway
    const built = buildPayouts({
      sourceAccount: signer.publicKey,
      nextAccountSequence: sequence,
      payingAccount: batch.source,
      payouts: batch.intents.flatMap(({ row: { details } }) => paidFor(details)?.action ?? []),
      memoText: memoOf(batch),
      ledgerClosedAt: walked.closedAt,
      lifetimeMs: PAYOUT_LIFETIME_MS,
      fee: bid,
      networkPassphrase,
    })
    if (E.isLeft(built)) throw new Error(`intents were recorded that no transaction can hold: ${built.left._tag}`)
    const { envelopeXdr, transactionHash, maxTime } = built.right
    const signed = await signEnvelope(envelopeXdr, [signer, payer], networkPassphrase)()
    if (E.isLeft(signed)) return signed
    const ours: Ours = { merchantId: batch.merchantId, environment: batch.environment, hash: transactionHash }
    const recorded = await toTransaction({ services, walked }, ours, 'prepare', {
      type: 'PrepareTransaction',
      envelopeXdr: asText(signed.right),
      sourceAccount: signer.publicKey,
      accountSequence: sequence,
      maxTime,
      preparedAfter: walked.sequence,
      preparedAt: walked.closedAt,
      class: batch.class,
      fee: bid,
      feeCap: feeCapOf(batch.class),
      intents: batch.intents.map(({ id }) => decodeOrThrow(IntentId, id)),
    })()
    return E.map((done) => (done === null ? null : ours))(unlessRejected(recorded))
  }

/**
 * A transaction has one memo: that of the intent which is alone in it. Returns always say that they are such, by that of
 * the first: without, another service like this one would send them to and fro for ever.
 */
const memoOf = ({ class: of, intents: [first, ...more] }: Batch): Text | null =>
  first === undefined || (more.length > 0 && of !== 'return') ? null : first.row.details.memo
