import { type Environment, isResetPending, type LedgerIngestionState } from '@quittance/domain'
import { type Cursor, type Halted, type LedgerGateway, type LedgerHead, otherHistory } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Raise } from '../features/outgoing/trouble.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Services } from '../services/services.ts'

type Watched = Pick<Services, 'epochs' | 'cursors' | 'clock'>

const pointOf = ({ sequence: ledger, closedAt }: LedgerHead) => ({ ledger, closedAt })

/**
 * Records what a halt shows of a reset, or that the ingested history goes on after all. Answers whether work has to wait
 * for the operator. On the mainnet, which nobody resets, the nodes lie: nothing is sent either.
 */
export const watchForReset = async (
  { epochs, cursors, clock }: Watched,
  gateway: LedgerGateway,
  environment: Environment,
  halted: Halted | null,
  raise: Raise,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const known = await epochs.of(environment)
  if (E.isLeft(known)) return known
  const cursor = await cursors.of(environment).load()()
  if (E.isLeft(cursor)) return cursor
  const at = clock.now(environment)
  const record = async (command: Parameters<typeof epochs.record>[1]) => {
    const recorded = await epochs.record(environment, command)
    if (E.isRight(recorded)) return recorded
    const { left } = recorded
    if (left._tag === 'StoreUnavailable' || left._tag === 'OutcomeUnknown') return E.left(left)
    throw new Error(`a reset of the ${environment} cannot be recorded: ${left._tag}`)
  }
  const found = await changeOf(known.right, gateway, cursor.right, halted)
  const state =
    found === null || cursor.right === null
      ? known
      : await record(
          found === 'goes_on'
            ? { type: 'DisproveReset', at }
            : {
                type: 'FindReset',
                evidence: found.evidence,
                ingested: pointOf(cursor.right),
                found: pointOf(found.found),
                at,
              },
        )
  if (E.isLeft(state)) return state
  const isPending = isResetPending(state.right)
  if (isPending) raise({ _tag: environment === 'testnet' ? 'NetworkReset' : 'LedgerReplaced' })
  return E.right(isPending)
}

const changeOf = async (
  { foundReset, resetUnderWay }: LedgerIngestionState,
  gateway: LedgerGateway,
  cursor: Cursor | null,
  halted: Halted | null,
) => {
  if (resetUnderWay !== null || cursor === null) return null
  if (foundReset === null) return halted === null ? null : otherHistory(gateway, cursor, halted)
  return cursor.sequence > foundReset.ingested.ledger ? ('goes_on' as const) : null
}
