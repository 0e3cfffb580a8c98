import {
  asText,
  Channel,
  channelId,
  Intent,
  type IntentClass,
  type IntentState,
  LedgerSequence,
  LedgerTransaction,
  type LedgerTransactionState,
  type OperationIndex,
  unixMs,
} from '@quittance/domain'
import type { IngestedLedger, OwnTransaction } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type Ours, transactionName } from '../../features/outgoing/outgoing.ts'
import { outcomeCommand } from '../../features/outgoing/record-outcomes.ts'
import { allOf } from '../../kernel/all-of.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
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
  const known = await stateOf(services.store)(LedgerTransaction, ours.hash)
  if (E.isLeft(known)) return known
  const recorded =
    known.right.state.status === 'absent' ? await record(services, ours, own, mandates) : E.right(known.right.state)
  if (E.isLeft(recorded)) return recorded
  if (recorded.right.status === 'absent') return useSequence(services, ours, own)
  const { intents, operations = [] } = recorded.right.details
  for (const [place, intentId] of intents.entries()) {
    const payment = own.payments.find(({ operationIndex }) => operationIndex === operations[place])
    if (payment === undefined) continue
    const forgotten = { scope, own, payment }
    const purpose = [...purposesOf(services, forgotten)].find((each) => each.intentId === intentId)
    const settled = await settle(services, forgotten, intentId, purpose ?? null)
    if (E.isLeft(settled)) return settled
  }
  return useSequence(services, ours, own)
}

/** Nothing is sent with this number any more, whatever transaction the log holds it taken by. */
const useSequence = async (
  { store }: Pick<RecoveryServices, 'store'>,
  ours: Ours,
  { sourceAccount, accountSequence, outcome: { closedAt } }: OwnTransaction,
): Promise<E.Either<ProcessFailure, void>> => {
  const context = stepContext({ ...ours, merchantId: platform }, transactionName(ours), 'UseSequence', closedAt)
  const decide = Channel.decider.decide({ type: 'UseSequence', transactionHash: ours.hash })
  const id = channelId(sourceAccount, accountSequence)
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
  const chosen = outcome._tag === 'Succeeded' ? choose(services, ours, own) : []
  if (chosen.length === 0 && !own.isCall && !own.isSetUp) return E.right({ status: 'absent' })
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
    intents: chosen.map(({ purpose }) => purpose.intentId),
    operations: chosen.map(({ operationIndex }) => operationIndex),
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
const choose = (services: RecoveryServices, scope: Scope, own: OwnTransaction): ReadonlyArray<Chosen> => {
  const taken = new Set<string>()
  return own.payments.flatMap((payment) => {
    const free = [...purposesOf(services, { scope, own, payment })].filter(({ subject }) => !taken.has(subject))
    const purpose = chosenPurpose(free, own)
    if (purpose === null) return []
    taken.add(purpose.subject)
    return [{ operationIndex: payment.operationIndex, purpose }]
  })
}

/** It decides nothing any more, but tells readers what the transaction was. */
const classOf = ({ isCall }: OwnTransaction, [first]: ReadonlyArray<Chosen>): IntentClass => {
  if (first !== undefined) return first.purpose.kind
  return isCall ? 'charge' : 'set_up'
}

/** An intent that the log has lost is recorded and settled in one append: nobody ever sees it waiting. */
const settle = async (
  services: RecoveryServices,
  forgotten: Forgotten,
  intentId: Purpose['intentId'],
  purpose: Purpose | null,
): Promise<E.Either<ProcessFailure, void>> => {
  const { scope, own, payment } = forgotten
  const claimed = purpose === null ? E.right(null) : await purpose.claim()
  if (E.isLeft(claimed)) return claimed
  const { transactionHash, ledger, closedAt } = own.outcome
  const place = { transactionHash, operationIndex: payment.operationIndex, ledger, closedAt }
  const settling = { type: 'RecoverIntent' as const, attachedTo: ownHashOf(own), ...place }
  const wanted = claimed.right
  const decide = (state: IntentState) => {
    if (state.status !== 'absent' || wanted === null) return Intent.decider.decide(settling)(state)
    return allOf(Intent.decider, [{ type: 'RecordIntent', ...wanted }, settling])(state)
  }
  const context = stepContext(scope, causeOf(forgotten, 'intent'), 'settle', closedAt)
  // An intent that the log holds as ended stays so: the movement is an exception then.
  const expected = ['IntentHasEnded', 'IntentNotFound'] as const
  return E.map(() => undefined)(await stepUnless(services.store)(expected, Intent, intentId, context, decide))
}
