import {
  asText,
  type Count,
  count,
  type Environment,
  type LedgerTransactionCommand,
  type TransactionHash,
} from '@quittance/domain'
import { type IngestedLedger, type TransactionOutcome, withAnswers } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { Services } from '../../services/services.ts'
import { type Ours, toTransaction } from './outgoing.ts'
import type { Raise } from './trouble.ts'

type OurOutcome = { readonly ours: Ours; readonly outcome: TransactionOutcome }

/** The outcomes of our transactions in a closed ledger, in its order. */
export const ourOutcomes = async (
  { readModels: { ledgerTransactions } }: Pick<Services, 'readModels'>,
  environment: Environment,
  outcomesOf: IngestedLedger['outcomesOf'],
): Promise<ReadonlyArray<OurOutcome>> => {
  const oursOf = async (hash: TransactionHash): Promise<Ours | null> => {
    const found = await ledgerTransactions.withId(hash)
    return found?.environment === environment ? { merchantId: found.merchantId, environment, hash } : null
  }
  return withAnswers(oursOf, null, (ours) =>
    outcomesOf((hash) => ours(hash) !== null).flatMap((outcome) => {
      const { transactionHash, innerHash } = outcome
      const found = ours(transactionHash) ?? (innerHash === null ? null : ours(innerHash))
      return found === null ? [] : [{ ours: found, outcome }]
    }),
  )
}

type Recording = { readonly services: Pick<Services, 'store'>; readonly raise: Raise }

/**
 * Records how transactions of ours ended in a closed ledger that is being ingested: nothing else tells of an end in a
 * ledger. An outcome that contradicts the record raises an alarm, and changes nothing.
 */
export const recordOutcomes = async (
  { services, raise }: Recording & { readonly services: Pick<Services, 'readModels'> },
  environment: Environment,
  { outcomesOf, mandates }: Pick<IngestedLedger, 'outcomesOf' | 'mandates'>,
): Promise<E.Either<ExecuteFailure, void>> => {
  for (const { ours, outcome } of await ourOutcomes(services, environment, outcomesOf)) {
    const recorded = await recordOutcome({ services, raise }, ours, outcome, mandates)
    if (E.isLeft(recorded)) return recorded
  }
  return E.right(undefined)
}

/** The contract's answers to the charges of a call; null for another kind of transaction. */
const answersOf = (
  mandates: IngestedLedger['mandates'],
  { transactionHash }: TransactionOutcome,
): ReadonlyArray<Count> | null => {
  const facts = mandates.filter((fact) => fact.transactionHash === transactionHash)
  const answered = facts.find((fact) => fact._tag === 'ChargesAnswered')
  return answered?.answers.map(({ number }) => count(number)) ?? null
}

export const recordOutcome = async (
  { services, raise }: Recording,
  ours: Ours,
  outcome: TransactionOutcome,
  mandates: IngestedLedger['mandates'],
): Promise<E.Either<ExecuteFailure, void>> => {
  const { transactionHash, ledger, closedAt } = outcome
  const step = outcome._tag === 'BumpFailed' ? `bump failed ${transactionHash}` : 'outcome'
  const command = outcomeCommand(outcome, mandates)
  const target = { services, ingested: { closedAt } }
  const recorded = await toTransaction(target, ours, ['TransactionHasEnded'], step, command)
  if (E.isLeft(recorded)) return recorded
  if (recorded.right === null) {
    const cause = `a ledger holds it (${outcome.code}), and it had ended otherwise`
    raise({ _tag: 'OutcomeContradicted', transactionHash: ours.hash, ledger, cause })
  }
  return E.right(undefined)
}

/** The command that records an outcome, with the contract's answers where it was a call of charges. */
export const outcomeCommand = (
  outcome: TransactionOutcome,
  mandates: IngestedLedger['mandates'],
): LedgerTransactionCommand => {
  const { _tag, transactionHash, ledger, closedAt, feeSource, feeCharged, ...rest } = outcome
  const answers = answersOf(mandates, outcome)
  const held = { transactionHash, ledger, closedAt, feeSource, feeCharged }
  const code = asText(rest.code)
  switch (_tag) {
    case 'Succeeded':
      return { type: 'RecordSuccess', ...held, ...(answers === null ? {} : { answers }) }
    case 'Failed':
      return { type: 'RecordFailure', ...held, code, operationCodes: rest.operationCodes.map((each) => asText(each)) }
    case 'BumpFailed':
      return { type: 'RecordBumpFailure', ...held, code }
  }
}
