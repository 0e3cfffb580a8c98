import { type Environment, secondMs, TransactionHash } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../decode.ts'
import type { ProcessFailure } from '../processes/steps.ts'
import type { Services } from '../services.ts'
import { advance } from './advance.ts'
import { dispatch } from './dispatch.ts'
import { channelAccounts } from './keys.ts'
import { reportEnds } from './report.ts'
import { dueBy, type Outgoing } from './walk.ts'

/**
 * Brings an environment's outgoing money forward: what is under way, where a ledger has closed since (`isNewLedger`);
 * what waits; and the owners of what has ended, who are told.
 */
export const settle =
  (outgoing: Outgoing) =>
  (environment: Environment, isNewLedger: boolean): TE.TaskEither<ProcessFailure, void> =>
  async () => {
    const { services, walked } = outgoing
    if (isNewLedger) {
      const advanced = await advanceAll(outgoing, environment)
      if (E.isLeft(advanced)) return advanced
    }
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const dispatched = await dispatch(outgoing)(environment)()
    if (E.isLeft(dispatched)) return dispatched
    return reportEnds({ services, walked })(environment)()
  }

const advanceAll = async (outgoing: Outgoing, environment: Environment): Promise<E.Either<ProcessFailure, void>> => {
  const { services, network } = outgoing
  const channels = channelAccounts(services, network, environment)
  for (const { id, merchantId } of services.readModels.ledgerTransactions.due(environment, dueBy(outgoing))) {
    const hash = decodeOrThrow(TransactionHash, id)
    const advanced = await advance(outgoing, channels)({ merchantId, environment, hash })()
    if (E.isLeft(advanced)) return advanced
  }
  return E.right(undefined)
}

/** The moments (Unix milliseconds) after which something of an environment's outgoing money can be done. */
export const settlementDues = (
  { readModels }: Services,
  environment: Environment,
  after: number,
): ReadonlyArray<number> => {
  const ends = [...readModels.ledgerTransactions.due(environment, Number.MAX_SAFE_INTEGER)].map(
    ({ row }) => row.maxTime + secondMs,
  )
  const waiting = readModels.intents.nextDue(environment, after)
  return [...ends.filter((end) => end > after), ...(waiting === null ? [] : [waiting])]
}
