import { checkContents } from '@quittance/billing'
import { fold, retrieveAnywhere } from '@quittance/billing/testing/internals'
import { done } from '@quittance/billing/testing/outcomes'
import { Checkout, isBroughtBy } from '@quittance/domain'
import { verify } from '@quittance/event-store/sqlite'
import {
  checkouts,
  customers,
  exceptions,
  intents,
  payments,
  payouts,
  type ReadModel,
  refunds,
  subscriptions,
  type Table,
} from '@quittance/projections'
import * as O from 'fp-ts/lib/Option.js'
import { type Invariant, mismatches, type Settled } from './invariant.ts'

/** Rows of a table that differ from the fold of their streams. */
const unlessFolded = async <Row>(
  { services }: Settled,
  table: Table<Row>,
  model: ReadModel<Row>,
): Promise<ReadonlyArray<string>> => {
  const wrong: Array<string> = []
  for (const found of await table.all()) {
    const folded = await done(() => retrieveAnywhere(services.store)(model, found.id))
    wrong.push(...mismatches(found.id, found, O.toNullable(folded)))
  }
  return wrong
}

export const logRules: ReadonlyArray<Invariant> = [
  {
    rule: 'read models equal the fold of the log',
    broken: async (settled) => {
      const { readModels } = settled.services
      return [
        ...(await unlessFolded(settled, readModels.checkouts, checkouts)),
        ...(await unlessFolded(settled, readModels.payments, payments)),
        ...(await unlessFolded(settled, readModels.exceptions, exceptions)),
        ...(await unlessFolded(settled, readModels.customers, customers)),
        ...(await unlessFolded(settled, readModels.intents, intents)),
        ...(await unlessFolded(settled, readModels.refunds, refunds)),
        ...(await unlessFolded(settled, readModels.payouts, payouts)),
        ...(await unlessFolded(settled, readModels.subscriptions, subscriptions)),
      ]
    },
  },
  {
    rule: 'hash chains verify',
    broken: async ({ log }) => {
      const { problems } = await verify(log)
      return problems.map(({ stream, problem }) => `${stream}: ${problem}`)
    },
  },
  {
    rule: 'every event could have been recorded by a command where it is',
    broken: async ({ services }) => {
      const { findings } = await checkContents(services.store, null)
      return findings.map(({ stream, revision, problem }) => `${stream} @ ${revision}: ${problem}`)
    },
  },
  {
    rule: 'a relayed transaction that a session calls dead has not paid it',
    broken: async ({ services }) => {
      const wrong: Array<string> = []
      for (const { id } of await services.readModels.checkouts.all()) {
        const { events } = await done(services.store.readStream(`${Checkout.category}-${id}`))
        const state = fold(Checkout, events)
        if (state.status === 'absent') continue
        const { accepted, transactions } = state
        for (const { transactionHash, isDead } of transactions)
          if (isDead && accepted.some((credit) => isBroughtBy(credit, transactionHash)))
            wrong.push(`${transactionHash} is called dead but has paid for ${id}`)
      }
      return wrong
    },
  },
]
