import {
  asText,
  type Count,
  count,
  type Environment,
  type LedgerTransactionCommand,
  type TransactionHash,
} from '@quittance/domain'
import type { IngestedLedger, TransactionOutcome } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { Services } from '../../services/services.ts'
import { unlessRejected } from '../../services/steps.ts'
import { type Ours, type Outgoing, toTransaction } from './outgoing.ts'

type OurOutcome = { readonly ours: Ours; readonly outcome: TransactionOutcome }

/** How transactions of ours ended in a closed ledger, in its order, and whose they are. */
export const ourOutcomes = (
  { readModels: { ledgerTransactions } }: Pick<Services, 'readModels'>,
  environment: Environment,
  outcomesOf: IngestedLedger['outcomesOf'],
): ReadonlyArray<OurOutcome> => {
  const oursOf = (hash: TransactionHash): Ours | null => {
    const found = ledgerTransactions.withId(hash)
    return found?.environment === environment ? { merchantId: found.merchantId, environment, hash } : null
  }
  return outcomesOf((hash) => oursOf(hash) !== null).flatMap((outcome) => {
    const { transactionHash, innerHash } = outcome
    const ours = oursOf(transactionHash) ?? (innerHash === null ? null : oursOf(innerHash))
    return ours === null ? [] : [{ ours, outcome }]
  })
}

type Told = Pick<IngestedLedger, 'outcomesOf' | 'mandates'>

/**
 * Records how transactions of ours ended in a closed ledger that is being ingested: the only place from which an end in a
 * ledger is known. What contradicts the record is told, and changes nothing.
 */
export const recordOutcomes =
  (outgoing: Pick<Outgoing, 'services' | 'raise'>, environment: Environment) =>
  (ledger: Told): TE.TaskEither<ExecuteFailure, void> =>
  async () => {
    for (const { ours, outcome } of ourOutcomes(outgoing.services, environment, ledger.outcomesOf)) {
      const recorded = await recordOutcome(outgoing, ours, outcome, ledger.mandates)
      if (E.isLeft(recorded)) return recorded
    }
    return E.right(undefined)
  }

/** What a contract answered to each charge of a call; null where it was another kind of transaction. */
const answersOf = (
  mandates: IngestedLedger['mandates'],
  { transactionHash }: TransactionOutcome,
): ReadonlyArray<Count> | null => {
  const facts = mandates.filter((fact) => fact.transactionHash === transactionHash)
  const answered = facts.find((fact) => fact._tag === 'ChargesAnswered')
  return answered?.answers.map(({ number }) => count(number)) ?? null
}

export const recordOutcome = async (
  { services, raise }: Pick<Outgoing, 'services' | 'raise'>,
  ours: Ours,
  outcome: TransactionOutcome,
  mandates: IngestedLedger['mandates'],
): Promise<E.Either<ExecuteFailure, void>> => {
  const { transactionHash, ledger, closedAt } = outcome
  const ingested = { sequence: ledger, closedAt }
  const step = outcome._tag === 'BumpFailed' ? `bump failed ${transactionHash}` : 'outcome'
  const command = commandOf(outcome, answersOf(mandates, outcome))
  const recorded = unlessRejected(await toTransaction({ services, ingested }, ours, step, command)())
  if (E.isLeft(recorded)) return recorded
  if (recorded.right === null) {
    const cause = `a ledger holds it (${outcome.code}), and it had ended otherwise`
    raise({ _tag: 'OutcomeContradicted', transactionHash: ours.hash, ledger, cause })
  }
  return E.right(undefined)
}

const commandOf = (
  { _tag, transactionHash, ledger, closedAt, feeSource, feeCharged, ...told }: TransactionOutcome,
  answers: ReadonlyArray<Count> | null,
): LedgerTransactionCommand => {
  const held = { transactionHash, ledger, closedAt, feeSource, feeCharged }
  const code = asText(told.code)
  switch (_tag) {
    case 'Succeeded':
      return { type: 'RecordSuccess', ...held, ...(answers === null ? {} : { answers }) }
    case 'Failed':
      return { type: 'RecordFailure', ...held, code, operationCodes: told.operationCodes.map((each) => asText(each)) }
    case 'BumpFailed':
      return { type: 'RecordBumpFailure', ...held, code }
  }
}
