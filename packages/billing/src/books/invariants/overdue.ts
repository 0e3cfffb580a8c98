import { type Environment, minuteMs, type UnixMs } from '@quittance/domain'
import type { Services } from '../../services/services.ts'
import type { Breach } from '../../stores/invariant.ts'

const longestWaitMs = 15 * minuteMs

/** More rows than these would add nothing. */
const mostRows = 20

const first = async <Row>(
  rows: AsyncIterable<Row>,
  isOverdue: (row: Row) => Promise<boolean>,
): Promise<ReadonlyArray<Row>> => {
  const found: Array<Row> = []
  let seen = 0
  for await (const row of rows) {
    if (await isOverdue(row)) found.push(row)
    if (++seen >= mostRows) break
  }
  return found
}

/**
 * Items that have waited too long by the ledger's clock for no known reason: an ended intent whose owner did not hear of it,
 * a transaction of ours that can enter no ledger any more, a session past its deadline. Items that wait for a rate, a relayed
 * transaction or lower fees are due later.
 */
export const overdue = async (
  { readModels, awaitingRate }: Pick<Services, 'readModels' | 'awaitingRate'>,
  environment: Environment,
  ingestedTo: UnixMs,
): Promise<ReadonlyArray<Breach>> => {
  const by = ingestedTo - longestWaitMs
  const breach = (what: string, id: string): Breach => ({ invariant: 'due_items_move', detail: `${what}: ${id}` })
  return [
    ...(
      await first(
        readModels.intents.due(environment, by),
        async ({ row }) => row.status !== 'waiting' && row.updatedAt <= by,
      )
    ).map(({ id }) => breach('an intent has ended, and its owner has no report', id)),
    ...(await first(readModels.ledgerTransactions.due(environment, by), async ({ row }) => row.maxTime < by)).map(
      ({ id }) => breach('a transaction is past its time, and has no recorded end', id),
    ),
    ...(
      await first(
        readModels.checkouts.due(environment, by),
        async ({ id }) =>
          !(await awaitingRate.has(environment, id)) &&
          !(
            await readModels.payments.withKey(id)
          ).some(({ row }) => row.status === 'pending' && row.submitted.length > 0),
      )
    ).map(({ id }) => breach('a session is past its deadline, and goes on', id)),
  ]
}
