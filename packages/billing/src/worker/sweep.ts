import { Customer, type Environment } from '@quittance/domain'
import type { CustomerRow, Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { cancelAllOf } from '../features/subscriptions/cancel-all-of.ts'
import { timesOf } from '../kernel/clock.ts'
import { step } from '../kernel/step.ts'
import { stepContextOf } from '../kernel/step-context.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Services } from '../services/services.ts'
import { teamTime } from '../team/services.ts'

/**
 * Purges old idempotency keys, challenges, sessions, mailed codes and mails, and destroys the keys of deleted
 * customers and ends their subscriptions, in case a crash came after the deletion. Customers who were erased, and whom an older
 * log that was put back believes to be alive, are deleted again. With a deleted customer go those merged into it.
 */
export const sweep = async (services: Services, environment: Environment): Promise<E.Either<ProcessFailure, void>> => {
  const { claims, challenges, portalSessions, mailedCodes, outbox, members, readModels, vault, clock } = services
  await claims.purge()
  await challenges.purge()
  const now = timesOf(clock)
  for (const each of [portalSessions, mailedCodes, outbox]) await each.purge(now)
  for (const each of [members.sessions, members.tries, members.challenges]) await each.purge(teamTime())
  return eachIsolated(services, environment, {
    loop: 'sweep',
    items: [
      ...(await Array.fromAsync(readModels.customers.due(environment, clock.now(environment)))),
      ...(await revived(services, environment)),
    ],
    again: ({ id }) => readModels.customers.withId(id),
    work: async (customer) => {
      const deleted = await deleteAgain(services, customer)
      if (E.isLeft(deleted)) return deleted
      await vault.erase(customer.id)
      return deleteMerged(services, customer)
    },
  })
}

/** Those that were merged into a deleted customer are the same person. */
const deleteMerged = async (
  services: Services,
  { id }: Found<CustomerRow>,
): Promise<E.Either<ProcessFailure, void>> => {
  const { readModels, vault } = services
  const [remaining, ...merged] = await readModels.customerFamily.allOf(id)
  for (const each of remaining === id ? merged : []) {
    const found = await readModels.customers.withId(each)
    if (found?.row.status !== 'living') continue
    const deleted = await deleteAgain(services, found)
    if (E.isLeft(deleted)) return deleted
    await vault.erase(each)
  }
  return E.right(undefined)
}

/** The keys of these customers were destroyed, so nobody can have meant them to live. */
const revived = async (
  { readModels, vault }: Services,
  environment: Environment,
): Promise<ReadonlyArray<Found<CustomerRow>>> =>
  (
    await Promise.all(
      (
        await vault.erased()
      ).map(async (id) => {
        const found = await readModels.customers.withId(id)
        return found !== null && found.environment === environment && found.row.status === 'living' ? [found] : []
      }),
    )
  ).flat()

/** Deletes a customer, and ends what they have subscribed to, also between the last look for that and their deletion. */
const deleteAgain = async (
  services: Services,
  { id, merchantId, environment, row }: Found<CustomerRow>,
): Promise<E.Either<ProcessFailure, void>> => {
  const context = stepContextOf({ merchantId, environment }, id, 'was erased', services.clock.now(environment))
  if (row.status === 'living') {
    const decide = Customer.decider.decide({ type: 'DeleteCustomer' })
    const deleted = await step(services.store)(Customer, id, context, decide)
    if (E.isLeft(deleted)) return deleted
  }
  return cancelAllOf(services, context, id)
}
