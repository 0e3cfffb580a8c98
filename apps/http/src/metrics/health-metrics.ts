import { environments, type Health } from '@quittance/host'
import { Counter, Gauge, type Registry } from 'prom-client'
import { whileStoreAnswers } from './while-store-answers.ts'

/** Measures the health of the service. Accounts, transactions, streams and merchants are no labels. */
export const measureHealth = (health: Health, registry: Registry): void => {
  const { books, readiness } = health
  /** `measure` sets what it knows at each collection. */
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: ReadonlyArray<Label>,
    measure: (gauge: Gauge<Label>) => void | Promise<void>,
  ): void => {
    const made: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect: () => whileStoreAnswers(made, () => measure(made)),
    })
  }
  const ledgerGauge = (name: string, help: string, field: 'lag' | 'clock_ahead'): void =>
    gauge(name, help, ['environment'], async (made) => {
      const { ledgers } = await readiness()
      for (const environment of environments) {
        const value = ledgers[environment]?.[field] ?? null
        if (value !== null) made.set({ environment }, value)
      }
    })

  gauge('quittance_log_rolled_back', '1 while the event log went back and nobody has accepted that', [], (made) =>
    made.set(health.log().status === 'rolled_back' ? 1 : 0),
  )
  gauge('quittance_checkpoints_refused', '1 while this process signs no checkpoint of the log', [], (made) =>
    made.set(health.transparency().status === 'refused' ? 1 : 0),
  )
  gauge(
    'quittance_witness_refusals',
    'Witnesses that refuse or do not answer (answer="refused", "unreachable")',
    ['answer'],
    (made) => {
      const answers = Object.values(health.transparency().witnesses)
      for (const answer of ['refused', 'unreachable'])
        made.set({ answer }, answers.filter((each) => each === answer).length)
    },
  )
  gauge(
    'quittance_frozen',
    'What the operator has frozen: for all merchants (of="all"), and for how many single ones (of="merchant")',
    ['scope', 'of'],
    async (made) => {
      for (const { scope, of, count } of await health.freezes()) made.set({ scope, of }, count)
    },
  )
  gauge(
    'quittance_payout_troubles',
    'Troubles that keep money from going out, as the last step met them',
    ['environment', 'reason'],
    (made) => {
      made.reset()
      for (const { environment, reason } of health.payoutTroubles()) made.inc({ environment, reason })
    },
  )
  gauge(
    'quittance_setbacks',
    'Items of merchants that have failed and wait for their next attempt',
    ['environment', 'loop', 'failure'],
    async (made) => {
      const setbacks = await health.setbacks()
      made.reset()
      for (const { environment, loop, failure, count } of setbacks) made.set({ environment, loop, failure }, count)
    },
  )
  gauge(
    'quittance_exceptions_waiting',
    'Exceptions that wait for a decision, by how old they are',
    ['environment', 'age'],
    async (made) => {
      for (const { environment, age, count } of await health.waitingExceptions()) made.set({ environment, age }, count)
    },
  )
  gauge(
    'quittance_lost_revenue',
    'Prices of periods that nobody is charged for because of a cause on our side, in units of their currency',
    ['environment', 'currency'],
    async (made) => {
      for (const { environment, currency, cents } of await health.lostRevenue())
        made.set({ environment, currency }, cents / 100)
    },
  )
  gauge(
    'quittance_platform_fees',
    "What the operator's fees come to, in units of the asset; collected includes what is on its way",
    ['environment', 'asset', 'state'],
    async (made) => {
      for (const { environment, assetId: asset, ...sums } of await health.platformFees())
        for (const state of ['booked', 'collected', 'owed'] as const)
          made.set({ environment, asset, state }, Number(sums[state]) / 10_000_000)
    },
  )
  gauge(
    'quittance_contract_days_left',
    'Days until the first of the contracts that mandates name is archived, unless its rent is paid',
    ['environment', 'entry'],
    (made) => {
      made.reset()
      const least = new Map<string, ReturnType<typeof health.rent>['lives'][number]>()
      for (const life of health.rent().lives) {
        const of = `${life.environment} ${life.entry}`
        if (life.days_left < (least.get(of)?.days_left ?? Number.POSITIVE_INFINITY)) least.set(of, life)
      }
      for (const { environment, entry, days_left } of least.values()) made.set({ environment, entry }, days_left)
    },
  )
  ledgerGauge(
    'quittance_reconciliation_lag_ledgers',
    'Closed ledgers whose changes of balances are still to be named',
    'lag',
  )
  gauge(
    'quittance_passed_over_ledgers',
    'Ledgers that were passed over, or transactions of them, because they cannot be decoded',
    ['environment'],
    async (made) => {
      const { ledgers } = await readiness()
      for (const environment of environments)
        made.set({ environment }, ledgers[environment]?.protocol?.passed_over ?? 0)
    },
  )
  ledgerGauge('quittance_clock_ahead_seconds', 'How far this clock is ahead of the newest ledger', 'clock_ahead')
  gauge(
    'quittance_unexplained_changes',
    'Changes of balances that nothing of ours accounts for and nobody has accepted',
    ['environment'],
    async (made) => {
      const { ledgers } = await books()
      for (const environment of environments) {
        const ledger = ledgers[environment]
        if (ledger !== null) made.set({ environment }, ledger.unexplained)
      }
    },
  )
  gauge(
    'quittance_invariant_violations',
    'What breaks an invariant at present',
    ['environment', 'invariant'],
    async (made) => {
      const { violations } = await books()
      made.reset()
      for (const { environment, invariant } of violations) made.inc({ environment, invariant })
    },
  )
  const named: Counter<'environment' | 'name'> = new Counter({
    name: 'quittance_movements_named_total',
    help: 'Changes of balances by what names them',
    labelNames: ['environment', 'name'],
    registers: [registry],
    collect: () =>
      whileStoreAnswers(named, async () => {
        const { ledgers } = await books()
        named.reset()
        for (const environment of environments)
          for (const [name, count] of Object.entries(ledgers[environment]?.named ?? {}))
            named.inc({ environment, name }, count)
      }),
  })
}
