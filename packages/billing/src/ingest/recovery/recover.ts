import {
  asText,
  Channel,
  channelId,
  Intent,
  type IntentClass,
  type IntentId,
  type IntentState,
  intentAt,
  LedgerSequence,
  LedgerTransaction,
  type LedgerTransactionState,
  type OperationIndex,
  unixMs,
} from '@quittance/domain'
import type { IngestedLedger, OwnRotation, OwnTransaction } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { countRecovered } from '../../features/limits/count-recovered.ts'
import { type Ours, transactionName } from '../../features/outgoing/outgoing.ts'
import { perhapsPaid } from '../../features/outgoing/perhaps-paid.ts'
import { outcomeCommand } from '../../features/outgoing/record-outcomes.ts'
import { rotationDetails, rotationId } from '../../features/outgoing/rotations.ts'
import { allOf } from '../../kernel/all-of.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { resetsOf } from '../../kernel/epoch.ts'
import { stateOf } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { endSessionsOf } from '../deadlines.ts'
import { chosenPurpose } from './choose.ts'
import { ownHashOf } from './forgotten.ts'
import { causeOf, type Forgotten, type Purpose, type RecoveryServices } from './purpose.ts'
import { purposesOf } from './purposes.ts'

/**
 * Recovers a transaction of ours that the log has lost, from the closed ledger that holds it. First the transaction is
 * recorded with its outcome and the intents that its payments have fulfilled; then what those intents were for is recorded
 * where the log has lost that too; then they are settled, whatever else the log holds of them. Each step derives from the
 * transaction, so that a crash between two is made up for when the ledger is ingested again.
 *
 * Of a transaction that fits nothing of the log, only its sequence number is recorded as used: its movements are left to be
 * explained.
 */
export const recover = async (
  services: RecoveryServices,
  scope: Scope,
  own: OwnTransaction,
  mandates: IngestedLedger['mandates'],
): Promise<E.Either<ProcessFailure, void>> => {
  const ended = await endSessionsOf(services, scope, unixMs(own.outcome.closedAt - 1))
  if (E.isLeft(ended)) return ended
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const ours: Ours = { ...scope, hash: ownHashOf(own) }
  for (const { operationIndex, assetId, amount } of own.outcome._tag === 'Succeeded' ? own.payments : []) {
    const name = `${scope.environment}/${ours.hash}/${operationIndex}`
    const counted = await countRecovered(services, scope, { name, assetId, amount, closedAt: own.outcome.closedAt })
    if (E.isLeft(counted)) return counted
  }
  const known = await stateOf(services.store)(LedgerTransaction, ours.hash)
  if (E.isLeft(known)) return known
  const recorded =
    known.right.state.status === 'absent' ? await record(services, ours, own, mandates) : E.right(known.right.state)
  if (E.isLeft(recorded)) return recorded
  if (recorded.right.status === 'absent') return useSequence(services, ours, own)
  for (const payment of own.outcome._tag === 'Succeeded' ? own.payments : []) {
    const settled = await settle(services, ours, { scope, own, payment })
    if (E.isLeft(settled)) return settled
  }
  for (const rotation of rotationsIn(own)) {
    const settled = await settleRotation(services, ours, own, rotation)
    if (E.isLeft(settled)) return settled
  }
  return useSequence(services, ours, own)
}

/** The rotations that a transaction has made. */
const rotationsIn = ({ outcome, rotations = [] }: OwnTransaction): ReadonlyArray<OwnRotation> =>
  outcome._tag === 'Succeeded' ? rotations : []

/**
 * Records the key that has an account's weight since: transactions that it has signed are ours, and a vault that lacks it is an
 * older one.
 */
const settleRotation = async (
  { store }: RecoveryServices,
  ours: Ours,
  { outcome }: OwnTransaction,
  { account, to, operationIndex }: OwnRotation,
): Promise<E.Either<ProcessFailure, void>> => {
  const { transactionHash, ledger, closedAt } = outcome
  const place = { transactionHash, operationIndex, ledger, closedAt }
  const settling = { type: 'RecoverIntent' as const, attachedTo: ours.hash, ...place }
  const wanted = { type: 'RecordIntent' as const, ...rotationDetails(account, to, null) }
  const decide = (state: IntentState) =>
    allOf(Intent.decider, state.status === 'absent' ? [wanted, settling] : [settling])(state)
  const id = rotationId(ours.environment, account, to)
  const context = stepContext(ours, transactionName(ours), `recover ${id}`, closedAt)
  return E.map(() => undefined)(await stepUnless(store)(['IntentHasEnded'], Intent, id, context, decide))
}

/** Nothing is sent with this number any more, whatever transaction the log holds it taken by. */
const useSequence = async (
  { store, readModels }: Pick<RecoveryServices, 'store' | 'readModels'>,
  ours: Ours,
  { sourceAccount, accountSequence, outcome: { closedAt } }: OwnTransaction,
): Promise<E.Either<ProcessFailure, void>> => {
  const context = stepContext({ ...ours, merchantId: platform }, transactionName(ours), 'UseSequence', closedAt)
  const decide = Channel.decider.decide({ type: 'UseSequence', transactionHash: ours.hash })
  const id = channelId(sourceAccount, accountSequence, await resetsOf(readModels, ours.environment))
  return E.map(() => undefined)(await stepUnless(store)(['SequenceIsUsed'], Channel, id, context, decide))
}

/** Absent where nothing of the log fits. Another process may have recorded it first, and chosen its intents. */
const record = async (
  services: RecoveryServices,
  ours: Ours,
  own: OwnTransaction,
  mandates: IngestedLedger['mandates'],
): Promise<E.Either<ProcessFailure, LedgerTransactionState>> => {
  const { outcome, envelopeXdr, sourceAccount, accountSequence, maxTime, fee } = own
  const { ledger, closedAt } = outcome
  const chosen = outcome._tag === 'Succeeded' ? await choose(services, ours, own) : []
  const rotations = rotationsIn(own)
  if (chosen.length + rotations.length === 0 && !own.isCall && !own.isSetUp) return E.right({ status: 'absent' })
  const details = {
    envelopeXdr: asText(envelopeXdr),
    sourceAccount,
    accountSequence,
    maxTime: maxTime ?? closedAt,
    preparedAfter: decodeOrThrow(LedgerSequence, Math.max(1, ledger - 1)),
    preparedAt: closedAt,
    class: classOf(own, chosen),
    fee,
    feeCap: fee,
    intents: [
      ...chosen.map(({ purpose }) => purpose.intentId),
      ...rotations.map(({ account, to }) => rotationId(ours.environment, account, to)),
    ],
    operations: [...chosen, ...rotations].map(({ operationIndex }) => operationIndex),
  }
  const commands = [{ type: 'PrepareTransaction' as const, ...details }, outcomeCommand(outcome, mandates)]
  const context = stepContext(ours, `${ours.environment}/${ours.hash}`, 'recover', closedAt)
  const decide = allOf(LedgerTransaction.decider, commands)
  const expected = ['TransactionAlreadyPrepared'] as const
  const recorded = await stepUnless(services.store)(expected, LedgerTransaction, ours.hash, context, decide)
  if (E.isLeft(recorded)) return recorded
  if (recorded.right !== null) return E.right(recorded.right.state)
  return E.map(({ state }: { state: LedgerTransactionState }) => state)(
    await stateOf(services.store)(LedgerTransaction, ours.hash),
  )
}

type Chosen = { readonly operationIndex: OperationIndex; readonly purpose: Purpose }

/** The purpose of each payment; two payments have two. */
const choose = async (
  services: RecoveryServices,
  scope: Scope,
  own: OwnTransaction,
): Promise<ReadonlyArray<Chosen>> => {
  const taken = new Set<string>()
  const chosen: Array<Chosen> = []
  // One after another: what a payment takes is no other's.
  for (const payment of own.payments) {
    const purposes = await Array.fromAsync(purposesOf(services, { scope, own, payment }))
    const purpose = chosenPurpose(
      purposes.filter(({ subject }) => !taken.has(subject)),
      own,
    )
    if (purpose === null) continue
    taken.add(purpose.subject)
    chosen.push({ operationIndex: payment.operationIndex, purpose })
  }
  return chosen
}

/** It decides nothing any more, but tells readers what the transaction was. */
const classOf = ({ isCall, rotations = [] }: OwnTransaction, [first]: ReadonlyArray<Chosen>): IntentClass => {
  if (first !== undefined) return first.purpose.kind
  if (rotations.length > 0) return 'rotation'
  return isCall ? 'charge' : 'set_up'
}

/**
 * Settles the intent that a payment was planned for. Without one, or where somebody has decided otherwise since the plan, the
 * payment goes to what the log is about to pay now. Else it is left to be explained, and what is left so stays so.
 */
const settle = async (
  services: RecoveryServices,
  ours: Ours,
  forgotten: Forgotten,
): Promise<E.Either<ProcessFailure, void>> => {
  const { operationIndex } = forgotten.payment
  for (;;) {
    const now = await stateOf(services.store)(LedgerTransaction, ours.hash)
    if (E.isLeft(now)) return now
    const { state } = now.right
    if (state.status === 'absent' || state.details.operations === undefined) return E.right(undefined)
    const from = intentAt(state.details, operationIndex)
    const settled = from === null ? E.right(false) : await settleIntent(services, forgotten, from)
    if (E.isLeft(settled) || settled.right) return E.map(() => undefined)(settled)
    if (from === null && (await perhapsPaid(services, forgotten.scope, forgotten.payment)) !== null)
      return E.right(undefined)
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const isFree = (each: Purpose) => each.isPending && !state.details.intents.includes(each.intentId)
    const to =
      chosenPurpose((await Array.fromAsync(purposesOf(services, forgotten))).filter(isFree), forgotten.own)?.intentId ??
      null
    if (from === to) return E.right(undefined)
    const context = stepContext(ours, causeOf(forgotten, from ?? 'no plan'), 'reassign', forgotten.own.outcome.closedAt)
    const decide = LedgerTransaction.decider.decide({ type: 'ReassignOperation', operationIndex, from, to })
    const expected = ['OperationNotAssigned'] as const
    const reassigned = await stepUnless(services.store)(expected, LedgerTransaction, ours.hash, context, decide)
    if (E.isLeft(reassigned)) return reassigned
  }
}

/**
 * An intent that the log has lost is recorded and settled in one append: nobody ever sees it waiting. False if it has no
 * purpose any more, or has ended otherwise meanwhile, as by a cancellation.
 */
const settleIntent = async (
  services: RecoveryServices,
  forgotten: Forgotten,
  intentId: IntentId,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { scope, own, payment } = forgotten
  const purpose = (await Array.fromAsync(purposesOf(services, forgotten))).find((each) => each.intentId === intentId)
  const claimed = purpose === undefined ? E.right(null) : await purpose.claim()
  if (E.isLeft(claimed)) return claimed.left._tag === 'DecidedOtherwise' ? E.right(false) : E.left(claimed.left)
  const { transactionHash, ledger, closedAt } = own.outcome
  const place = { transactionHash, operationIndex: payment.operationIndex, ledger, closedAt }
  const settling = { type: 'RecoverIntent' as const, attachedTo: ownHashOf(own), ...place }
  const wanted = claimed.right
  const decide = (state: IntentState) => {
    if (state.status !== 'absent' || wanted === null) return Intent.decider.decide(settling)(state)
    return allOf(Intent.decider, [{ type: 'RecordIntent', ...wanted }, settling])(state)
  }
  const context = stepContext(scope, causeOf(forgotten, 'intent'), 'settle', closedAt)
  const expected = ['IntentHasEnded', 'IntentNotFound'] as const
  return E.map((settled) => settled !== null)(
    await stepUnless(services.store)(expected, Intent, intentId, context, decide),
  )
}
