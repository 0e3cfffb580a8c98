import { type AccountId, asText, type LedgerTransactionState } from '@quittance/domain'
import { feeBump, type SubmitFailure, signEnvelope } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { nextBid } from '../features/outgoing/fees.ts'
import { holdsFrozen } from '../features/outgoing/frozen.ts'
import { type Ours, type Outgoing, toTransaction, transactionNow } from '../features/outgoing/outgoing.ts'
import { laterKeysOf } from '../features/outgoing/rotations.ts'
import { type ChannelAccount, ownAccountAt } from '../features/outgoing/signing-accounts.ts'
import { signerNow } from '../features/outgoing/weightless.ts'
import type { ExecuteFailure } from '../kernel/execute.ts'
import { traceSubmit } from '../kernel/tracing/submit-span.ts'

/** How many ledgers a bid is given. After so many, a node silently drops the transaction. */
const patienceLedgers = 4

type Released = Extract<LedgerTransactionState, { readonly status: 'released' }>

/**
 * Submits the newest bytes of a transaction, again with each ledger. No answer of a node is an outcome. An overdue bid
 * is raised first, whatever the node answers: it may have dropped and banned the bytes. Answers the state to continue
 * from at once; null: there is nothing to do before the next ledger.
 */
export const submitBytes = async (
  outgoing: Outgoing,
  channels: ReadonlyArray<ChannelAccount>,
  ours: Ours,
  state: Released,
): Promise<E.Either<ExecuteFailure, LedgerTransactionState | null>> => {
  const { raise, network } = outgoing
  const { refusal, details, bumps } = state
  if (refusal !== null) {
    raise({ _tag: 'SubmissionRefused', transactionHash: ours.hash, code: refusal.code })
    return E.right(null)
  }
  // A node may hold the bytes already; they are not offered again, nor is their bid raised.
  const frozen = await holdsFrozen(outgoing, ours, details)
  if (E.isLeft(frozen)) return frozen
  if (frozen.right) return E.right(null)
  const unheld = await unheldKeyOf(outgoing, ours, state)
  if (unheld !== null) return cannotSign(outgoing, unheld, 'the vault lacks the key to rotate to')
  if (isOverdue(outgoing, state)) {
    const raised = await bidMore(outgoing, channels, ours, state)
    if (E.isLeft(raised) || raised.right !== null) return raised
  }
  const sent = {
    hash: bumps.at(-1)?.transactionHash ?? ours.hash,
    kind: details.class,
    afterLedger: outgoing.ingested.sequence,
  }
  const submitted = await traceSubmit(sent, network.gateway.submit(bumps.at(-1)?.envelopeXdr ?? details.envelopeXdr))
  if (E.isRight(submitted)) return E.right(null)
  const failure = submitted.left
  switch (failure._tag) {
    case 'TryAgainLater':
    case 'BadSequence':
    case 'Expired':
    case 'OutcomeUnknown':
    case 'Withheld':
      return E.right(null)
    case 'FeeTooLow':
      return bidMore(outgoing, channels, ours, state)
    case 'FeeSourceCannotPay':
      raise({ _tag: 'FeeSourceCannotPay', account: bumps.at(-1)?.feeSource ?? details.sourceAccount })
      return E.right(null)
    case 'SimulateAgain':
    case 'Refused':
      return recordRefusal(outgoing, ours, failure)
  }
}

/** The account whose weight would go to a key that the vault lacks, as an older copy does: nobody could sign any more. */
const unheldKeyOf = async (
  { services: { vault, readModels } }: Outgoing,
  { environment }: Ours,
  { details: { intents } }: Released,
): Promise<AccountId | null> => {
  for (const id of intents) {
    const wanted = (await readModels.intents.withId(id))?.row.details
    if (wanted?.action._tag !== 'rotate_key') continue
    if (!(await laterKeysOf(vault, environment, wanted.source)).includes(wanted.action.to)) return wanted.source
  }
  return null
}

const isSignedOffline = async (
  { services: { readModels } }: Outgoing,
  { intents }: Pick<Released['details'], 'intents'>,
): Promise<boolean> => {
  const actions = await Promise.all(
    intents.map(async (id) => (await readModels.intents.withId(id))?.row.details.action),
  )
  return actions.some((action) => action?._tag === 'rotate_key' && action.signedOffline !== undefined)
}

/**
 * Whether the bid's ledgers have passed without the transaction, so that others must be bidding more. Bumps recorded by
 * earlier versions have no ledger: each is counted from the bump before it.
 */
const isOverdue = ({ ingested }: Outgoing, { details, bumps }: Released): boolean => {
  const bidAfter = bumps.at(-1)?.bumpedAfter ?? details.preparedAfter + patienceLedgers * bumps.length
  return ingested.sequence - bidAfter >= patienceLedgers
}

/** A refusal is our defect. The network may hold the bytes all the same, so only ledgers tell the outcome. */
const recordRefusal = async (
  outgoing: Outgoing,
  ours: Ours,
  failure: Extract<SubmitFailure, { readonly _tag: 'Refused' | 'SimulateAgain' }>,
): Promise<E.Either<ExecuteFailure, null>> => {
  const { code, operationCodes } =
    failure._tag === 'Refused' ? failure : { code: 'txSorobanInvalid', operationCodes: [] }
  outgoing.raise({ _tag: 'SubmissionRefused', transactionHash: ours.hash, code })
  const command = {
    type: 'RecordRefusal' as const,
    code: asText(code),
    operationCodes: operationCodes.map((each) => asText(each)),
  }
  const recorded = await toTransaction(outgoing, ours, [], 'refusal', command)
  return E.isLeft(recorded) ? recorded : E.right(null)
}

/**
 * Wraps the same transaction with a higher bid, and records the bump before it is sent. If another process was first,
 * its bump is the answered state. Null: there is no higher bid.
 */
const bidMore = async (
  outgoing: Outgoing,
  channels: ReadonlyArray<ChannelAccount>,
  ours: Ours,
  { details, bumps }: Released,
): Promise<E.Either<ExecuteFailure, LedgerTransactionState | null>> => {
  const { services, network, ingested, raise } = outgoing
  const { envelopeXdr: inner, feeCap, sourceAccount: feeSource } = details
  const { gateway } = network
  const fee = await nextBid(gateway, details.class, bumps.at(-1)?.fee ?? details.fee, feeCap)
  if (fee === null) {
    raise({ _tag: 'FeeCapReached', transactionHash: ours.hash, feeCap })
    return E.right(null)
  }
  // Nobody but the holder of the recovery key pays for what that key has signed.
  if (await isSignedOffline(outgoing, details)) return E.right(null)
  const own = await ownAccountAt(services, ours, channels, feeSource, 'fee')
  if (own === null) return cannotSign(outgoing, feeSource, 'the vault has no key for it')
  const signer = await signerNow(outgoing, ours.environment, own)
  // While no node answers, the same bid is sent again.
  if (E.isLeft(signer) || signer.right === null) return E.right(null)
  const { networkPassphrase } = gateway
  const { envelopeXdr, transactionHash } = feeBump({ envelopeXdr: inner, feeSource, fee, networkPassphrase })
  const signed = await signEnvelope(envelopeXdr, [signer.right], networkPassphrase)()
  if (E.isLeft(signed)) return cannotSign(outgoing, feeSource, signed.left.cause)
  const bump = { transactionHash, envelopeXdr: asText(signed.right), feeSource, fee, bumpedAfter: ingested.sequence }
  const replaces = bumps.at(-1)?.transactionHash ?? null
  const expected = ['FeeBumpedMeanwhile', 'TransactionIsRefused', 'TransactionHasEnded'] as const
  const command = { type: 'BumpFee' as const, replaces, ...bump }
  const recorded = await toTransaction(outgoing, ours, expected, `bump ${transactionHash}`, command)
  return E.isLeft(recorded) ? recorded : transactionNow(services, ours)
}

const cannotSign = (
  { raise }: Outgoing,
  account: Released['details']['sourceAccount'],
  cause: string,
): E.Either<never, null> => {
  raise({ _tag: 'CannotSign', account, cause })
  return E.right(null)
}
