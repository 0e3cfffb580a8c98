import { type Environment, TransactionHash } from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import type { Found, IntentRow, LedgerTransactionRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type CompareFailure, standingOf } from '../books/reconciliation/ingestion-standing.ts'
import { examine, type Finding } from '../features/outgoing/look-up-outcome.ts'
import { transactionNow } from '../features/outgoing/outgoing.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { Network, Services } from '../services/services.ts'
import { decideOutcome } from './decide-outcome.ts'
import type { OperatorServices } from './services.ts'

/** A transaction without a provable outcome. */
export type Unresolved = Found<LedgerTransactionRow> & {
  readonly intents: ReadonlyArray<Found<IntentRow>>
  readonly finding: Extract<Finding, { readonly _tag: 'Contradicted' | 'Unprovable' }>
  /** Whether its sequence number is used: if not, no ledger holds it. Null if its account does not exist. */
  readonly isSequenceUsed: boolean | null
}

/** Transactions whose outcome an operator has to decide. */
export interface Transactions {
  /** Lists the transactions that wait for an operator, as nodes see them now. */
  readonly unresolved: (environment: Environment) => TE.TaskEither<CompareFailure, ReadonlyArray<Unresolved>>
  readonly decide: ReturnType<typeof decideOutcome>
}

export const transactions = (services: OperatorServices): Transactions => ({
  decide: decideOutcome(services),
  unresolved: (environment) => async () => {
    const stands = await standingOf(services, environment)
    if (E.isLeft(stands)) return stands
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const { network, cursor: ingested } = stands.right
    const left: Array<Unresolved> = []
    for await (const due of services.readModels.ledgerTransactions.due(environment, Number.MAX_SAFE_INTEGER)) {
      const unresolved = await ifUnresolved({ services, network, ingested }, due)
      if (E.isLeft(unresolved)) return unresolved
      if (unresolved.right !== null) left.push(unresolved.right)
    }
    return E.right(left)
  },
})

const ifUnresolved = async (
  asked: {
    readonly services: Pick<Services, 'store' | 'readModels'>
    readonly network: Network
    readonly ingested: LedgerHead
  },
  due: Found<LedgerTransactionRow>,
): Promise<E.Either<CompareFailure, Unresolved | null>> => {
  const { services, network } = asked
  const ours = { ...due, hash: decodeOrThrow(TransactionHash, due.id) }
  const state = await transactionNow(services, ours)
  if (E.isLeft(state)) return state
  if (state.right.status !== 'released' && state.right.status !== 'failed') return E.right(null)
  const found = await examine(asked, ours, state.right)
  if (E.isLeft(found)) return found
  const finding = found.right
  if (finding._tag !== 'Contradicted' && finding._tag !== 'Unprovable') return E.right(null)
  const view = await network.gateway.accountView(due.row.sourceAccount, [])()
  if (E.isLeft(view)) return view
  const isSequenceUsed = view.right === null ? null : view.right.accountSequence >= due.row.accountSequence
  const intents = (
    await Promise.all(due.row.intents.map(async (id) => (await services.readModels.intents.withId(id)) ?? []))
  ).flat()
  return E.right({ ...due, intents, finding, isSequenceUsed })
}
