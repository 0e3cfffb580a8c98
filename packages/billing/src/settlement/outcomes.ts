import { asText, type Environment, type LedgerTransactionCommand, type TransactionHash } from '@quittance/domain'
import type { ClosedLedger, TransactionOutcome } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ExecuteFailure } from '../execute.ts'
import { unlessRejected } from '../processes/steps.ts'
import { type Ours, type Outgoing, toTransaction } from './walk.ts'

type Told = Pick<ClosedLedger, 'outcomesOf' | 'sequence' | 'closedAt'>

/**
 * Records how transactions of ours ended in a closed ledger that is being walked: the only place from which an end in a
 * ledger is known. What contradicts the record is told, and changes nothing.
 */
export const recordOutcomes =
  (outgoing: Pick<Outgoing, 'services' | 'raise'>, environment: Environment) =>
  (ledger: Told): TE.TaskEither<ExecuteFailure, void> =>
  async () => {
    const { ledgerTransactions } = outgoing.services.readModels
    const oursOf = (hash: TransactionHash): Ours | null => {
      const found = ledgerTransactions.withId(hash)
      return found?.environment === environment ? { merchantId: found.merchantId, environment, hash } : null
    }
    for (const outcome of ledger.outcomesOf((hash) => oursOf(hash) !== null)) {
      const { transactionHash, innerHash } = outcome
      const ours = oursOf(transactionHash) ?? (innerHash === null ? null : oursOf(innerHash))
      if (ours === null) continue
      const recorded = await recordOutcome(outgoing, ours, outcome)
      if (E.isLeft(recorded)) return recorded
    }
    return E.right(undefined)
  }

export const recordOutcome = async (
  { services, raise }: Pick<Outgoing, 'services' | 'raise'>,
  ours: Ours,
  outcome: TransactionOutcome,
): Promise<E.Either<ExecuteFailure, void>> => {
  const { transactionHash, ledger, closedAt } = outcome
  const walked = { sequence: ledger, closedAt }
  const step = outcome._tag === 'BumpFailed' ? `bump failed ${transactionHash}` : 'outcome'
  const recorded = unlessRejected(await toTransaction({ services, walked }, ours, step, commandOf(outcome))())
  if (E.isLeft(recorded)) return recorded
  if (recorded.right === null) {
    const cause = `a ledger holds it (${outcome.code}), and it had ended otherwise`
    raise({ _tag: 'OutcomeContradicted', transactionHash: ours.hash, ledger, cause })
  }
  return E.right(undefined)
}

const commandOf = ({
  _tag,
  transactionHash,
  ledger,
  closedAt,
  feeSource,
  feeCharged,
  ...told
}: TransactionOutcome): LedgerTransactionCommand => {
  const held = { transactionHash, ledger, closedAt, feeSource, feeCharged }
  const code = asText(told.code)
  switch (_tag) {
    case 'Succeeded':
      return { type: 'RecordSuccess', ...held }
    case 'Failed':
      return { type: 'RecordFailure', ...held, code, operationCodes: told.operationCodes.map((each) => asText(each)) }
    case 'BumpFailed':
      return { type: 'RecordBumpFailure', ...held, code }
  }
}
