import * as O from 'fp-ts/lib/Option.js'
import { thief } from '../enemies/memo-reader.ts'
import type { Invariant, Settled } from './invariant.ts'

/** The customers that a stranger made of himself. */
const strangers = ({ services: { readModels, vault } }: Settled) =>
  readModels.customers.all().filter(({ id, row }) => {
    const profile = row.record.profile === null ? null : O.toNullable(vault.unseal(id, row.record.profile))
    return JSON.stringify(profile).includes(thief)
  })

export const strangerRules: ReadonlyArray<Invariant> = [
  {
    rule: 'what is on the ledger grants nothing: it opens no route, and gives a stranger no purchase and no wallet',
    broken: async (settled) => {
      const { readModels } = settled.services
      const own = strangers(settled)
      const ids = new Set<string | null>(own.map(({ id }) => id))
      return [
        ...settled.granted,
        ...readModels.checkouts
          .all()
          .flatMap(({ id, row }) => (ids.has(row.customerId) ? [`a stranger owns ${id}`] : [])),
        ...own.flatMap(({ id, row }) => (row.wallets.length > 0 ? [`the stranger ${id} has a wallet`] : [])),
      ]
    },
  },
]
