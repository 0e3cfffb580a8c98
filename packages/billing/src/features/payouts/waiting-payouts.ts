import type { Environment } from '@quittance/domain'
import { isExhausted } from '@quittance/domain'
import type { Found, IntentRow } from '@quittance/projections'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import { isInMerchantsCustody } from '../../services/custody.ts'
import type { Services } from '../../services/services.ts'
import type { Turns } from '../outgoing/turns.ts'

/** The payouts of one book that are looked at in one step. */
const mostOfBook = 100

/**
 * The payouts of an environment that wait for a transaction, one of each merchant in turn, and first the merchant that
 * was served longest ago. They are found by their claims: many other intents that wait are not read.
 */
export const waitingPayouts = async (
  { readModels }: Pick<Services, 'readModels'>,
  turns: Pick<Turns, 'lastTurnOf'>,
  environment: Environment,
): Promise<ReadonlyArray<Found<IntentRow>>> => {
  const { payoutClaims, intents } = readModels
  const books = await Array.fromAsync(payoutClaims.due(environment, Number.MAX_SAFE_INTEGER))
  const waiting = (
    await Promise.all(
      books.map(async ({ row }) =>
        (await Promise.all(row.claims.slice(0, mostOfBook).map(({ payoutId }) => intents.withKey(payoutId)))).flat(),
      ),
    )
  ).flat()
  const ready = await filterInTurn(
    waiting,
    async ({ row }) =>
      row.status === 'waiting' &&
      !isExhausted(row) &&
      !(await isInMerchantsCustody(readModels, environment, row.details.source)),
  )
  const queues = [...Map.groupBy(ready, ({ merchantId }) => merchantId)]
    .toSorted(([one], [other]) => turns.lastTurnOf(one) - turns.lastTurnOf(other))
    .map(([, queue]) => queue)
  const longest = queues.reduce((most, { length }) => Math.max(most, length), 0)
  return Array.from({ length: longest }, (_, place) => queues.flatMap((queue) => queue[place] ?? [])).flat()
}
