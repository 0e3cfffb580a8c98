import { environments, type Health } from '@quittance/host'
import { Gauge, type Registry } from 'prom-client'

type Found = Awaited<ReturnType<Health['readiness']>>

/** Measures what `/ready` answers. All gauges of a collection share one answer. */
export const measureReadiness = ({ readiness }: Pick<Health, 'readiness'>, registry: Registry): void => {
  let asked: Promise<Found> | null = null
  const answered = (): Promise<Found> => {
    asked ??= readiness().finally(() => {
      asked = null
    })
    return asked
  }
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: ReadonlyArray<Label>,
    measure: (gauge: Gauge<Label>, found: Found) => void,
  ): void => {
    const made: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect: async () => {
        made.reset()
        // A gauge without labels would be reset to 0, which nobody has measured.
        if (labelNames.length === 0) made.remove()
        measure(made, await answered())
      },
    })
  }

  gauge('quittance_ready', '1 while requests can be answered', [], (made, { status }) =>
    made.set(status === 'ready' ? 1 : 0),
  )
  gauge('quittance_log_readable', '1 while the event log answers', [], (made, { store }) =>
    made.set(store === null ? 0 : 1),
  )
  gauge('quittance_log_events', 'Events of the log', [], (made, { store }) => {
    if (store !== null) made.set(store.position)
  })
  gauge(
    'quittance_read_models_lag_events',
    'Events that the read model furthest behind lacks',
    [],
    (made, { read_models }) => {
      if (read_models !== null) made.set(read_models.lag)
    },
  )
  gauge('quittance_read_models_stopped', '1 while a defect stops the read models', [], (made, { read_models }) => {
    if (read_models !== null) made.set(read_models.defect === null ? 0 : 1)
  })
  gauge('quittance_node_answers', '1 while a node of the network answers', ['environment'], (made, { ledgers }) => {
    for (const environment of environments) {
      const ledger = ledgers[environment]
      if (ledger !== null) made.set({ environment }, ledger.latest === null ? 0 : 1)
    }
  })
  gauge(
    'quittance_ingestion_halted',
    '1 while ingestion has stopped at a ledger',
    ['environment'],
    (made, { ledgers }) => {
      for (const environment of environments) {
        const ledger = ledgers[environment]
        if (ledger !== null) made.set({ environment }, ledger.halted === null ? 0 : 1)
      }
    },
  )
  gauge('quittance_unwritable', '1 while something cannot be written, by what', ['file'], (made, { writes }) => {
    for (const [file, writability] of Object.entries(writes)) made.set({ file }, writability === 'ok' ? 0 : 1)
  })
  gauge(
    'quittance_network_reset',
    '1 while the ingested history of a network has ended',
    ['environment'],
    (made, { resets }) => {
      for (const environment of environments)
        made.set({ environment }, resets.networks.some((each) => each.environment === environment) ? 1 : 0)
    },
  )
  gauge('quittance_keys_lacking', 'Keys that the log names and the vault lacked at the start', [], (made, { keys }) =>
    made.set(keys.lacking),
  )
  gauge(
    'quittance_merchants_not_payable',
    'Merchants that cannot be paid, or are not set up, by why',
    ['reason'],
    (made, { settlement }) => {
      if (settlement === null) return
      made.set({ reason: 'not_set_up' }, settlement.not_set_up)
      made.set({ reason: 'not_payable' }, settlement.not_payable)
    },
  )
}
