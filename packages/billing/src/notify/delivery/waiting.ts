import type { Environment, UnixMs } from '@quittance/domain'
import type { Services } from '../../services/services.ts'

/** An environment's events can be behind so many of the other one's. */
const mostLookedAt = 500

/**
 * For how long the oldest event has waited to be sent, in milliseconds: since the time at which its delivery fell due, or
 * since it happened, if no process has looked at it yet. 0 if none waits. What has failed and waits for its next attempt
 * does not count until that time.
 */
export const longestWait = async (
  { toDo, readModels: { publicEvents }, clock }: Pick<Services, 'toDo' | 'readModels' | 'clock'>,
  environment: Environment,
): Promise<number> => {
  const lastLooked = await toDo.sql.run(toDo.lastLooked)
  const place = lastLooked === null ? null : ((await publicEvents.withId(lastLooked))?.place ?? null)
  const unseen = (await publicEvents.next(place, mostLookedAt)).find((each) => each.environment === environment)
  const due = await toDo.sql.run(toDo.endpoints.nextDue(environment, 0))
  const since = [due, unseen?.occurredAt ?? null].filter((each): each is UnixMs => each !== null)
  return Math.max(0, clock.now(environment) - Math.min(...since, Number.POSITIVE_INFINITY))
}
