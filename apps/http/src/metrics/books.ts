import type { Health } from '@quittance/host'
import { Counter, Gauge, type Registry } from 'prom-client'

const environments = ['testnet', 'mainnet'] as const

/** Measures the books by network. Accounts, transactions and streams are no labels. */
export const measureBooks = ({ books, readiness }: Pick<Health, 'books' | 'readiness'>, registry: Registry): void => {
  const labelNames = ['environment'] as const
  const lag = new Gauge({
    name: 'quittance_reconciliation_lag_ledgers',
    help: 'Closed ledgers whose changes of balances are still to be named',
    labelNames,
    registers: [registry],
    collect: async () => {
      const { ledgers } = await readiness()
      for (const environment of environments)
        if (typeof ledgers[environment]?.lag === 'number') lag.set({ environment }, ledgers[environment].lag)
    },
  })
  const ahead = new Gauge({
    name: 'quittance_clock_ahead_seconds',
    help: 'How far this clock is ahead of the newest ledger',
    labelNames,
    registers: [registry],
    collect: async () => {
      const { ledgers } = await readiness()
      for (const environment of environments)
        if (typeof ledgers[environment]?.clock_ahead === 'number')
          ahead.set({ environment }, ledgers[environment].clock_ahead)
    },
  })
  const unexplained = new Gauge({
    name: 'quittance_unexplained_changes',
    help: 'Changes of balances that nothing of ours accounts for and nobody has accepted',
    labelNames,
    registers: [registry],
    collect: () => {
      const { ledgers } = books()
      for (const environment of environments) {
        const known = ledgers[environment]
        if (known !== null) unexplained.set({ environment }, known.unexplained)
      }
    },
  })
  const named = new Counter({
    name: 'quittance_movements_named_total',
    help: 'Changes of balances by what names them',
    labelNames: ['environment', 'name'],
    registers: [registry],
    collect: () => {
      const { ledgers } = books()
      named.reset()
      for (const environment of environments)
        for (const [name, count] of Object.entries(ledgers[environment]?.named ?? {}))
          named.inc({ environment, name }, count)
    },
  })
  const violations = new Gauge({
    name: 'quittance_invariant_violations',
    help: 'What breaks an invariant at present',
    labelNames: ['environment', 'invariant'],
    registers: [registry],
    collect: () => {
      violations.reset()
      for (const { environment, invariant } of books().violations) violations.inc({ environment, invariant })
    },
  })
}
