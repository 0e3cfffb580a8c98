import { filterInTurn } from '@quittance/billing/testing/internals'
import * as O from 'fp-ts/lib/Option.js'
import { thief } from '../enemies/memo-reader.ts'
import type { Invariant, Settled } from './invariant.ts'

/** The customers that a stranger made of himself. */
const strangers = async ({ services: { readModels, vault } }: Settled) =>
  filterInTurn(await readModels.customers.all(), async ({ id, row }) => {
    const profile = row.record.profile === null ? null : O.toNullable(await vault.unseal(id, row.record.profile))
    return JSON.stringify(profile).includes(thief)
  })

export const strangerRules: ReadonlyArray<Invariant> = [
  {
    rule: 'what is on the ledger grants nothing: it opens no route, and gives a stranger no purchase and no wallet',
    broken: async (settled) => {
      const { readModels } = settled.services
      const own = await strangers(settled)
      const ids = new Set<string | null>(own.map(({ id }) => id))
      return [
        ...settled.granted,
        ...(await readModels.checkouts.all()).flatMap(({ id, row }) =>
          ids.has(row.customerId) ? [`a stranger owns ${id}`] : [],
        ),
        ...own.flatMap(({ id, row }) => (row.wallets.length > 0 ? [`the stranger ${id} has a wallet`] : [])),
      ]
    },
  },
]
