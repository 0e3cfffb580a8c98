import type { Health } from '@quittance/host'
import { Registry } from 'prom-client'
import { measureReadiness } from './readiness-metrics.ts'

type Found = Awaited<ReturnType<Health['readiness']>>

const ledger: NonNullable<Found['ledgers']['testnet']> = {
  walked: 10,
  latest: 12,
  lag: 2,
  clock_ahead: 5,
  halted: null,
  protocol: null,
}
const well: Found = {
  status: 'ready',
  store: { position: 7 },
  read_models: { lag: 0, defect: null, models: {} },
  ledgers: { testnet: ledger, mainnet: null },
  writes: { log: 'ok', vault: 'ok' },
  transparency: { status: 'kept', reason: null, witnesses: {} },
  log: { status: 'sound', reasons: [] },
  release: { status: 'current', reason: null },
  stopping: false,
  resets: { status: 'none', networks: [] },
  freezes: { status: 'none', freezes: [] },
  keys: { status: 'ok', lacking: 0, present: [] },
  rates: { status: 'ok', troubles: [], credits_waiting: 0 },
  payouts: { status: 'ok', troubles: [] },
  anchors: { status: 'ok', failing: [] },
  books: { status: 'ok', ledgers: { testnet: null, mainnet: null }, violations: [] },
  rent: { status: 'ok', lives: [] },
  setbacks: { status: 'ok', present: [] },
  settlement: { status: 'ok', not_set_up: 0, not_payable: 0, merchants: [] },
  contracts: { status: 'current', contracts: [] },
}
const reset = { environment: 'testnet' as const, since: '2026-11-24T00:00:00.000Z', under_way: false, remedy: '' }

/** The samples of one collection after that of a service that is well, and how often its readiness was asked for. */
const samplesOf = async (found: Found) => {
  const registry = new Registry()
  const answers = [well, found]
  let asked = 0
  const readiness = async (): Promise<Found> => {
    asked += 1
    return answers.shift() ?? found
  }
  measureReadiness({ readiness }, registry)
  await registry.metrics()
  const text = await registry.metrics()
  return { asked, samples: text.split('\n').filter((line) => line !== '' && !line.startsWith('#')) }
}

describe('the metrics of readiness', () => {
  it('say that a service is well, by one answer for each collection', async () =>
    expect(await samplesOf(well)).toEqual({
      asked: 2,
      samples: [
        'quittance_ready 1',
        'quittance_log_readable 1',
        'quittance_log_events 7',
        'quittance_read_models_lag_events 0',
        'quittance_read_models_stopped 0',
        'quittance_node_answers{environment="testnet"} 1',
        'quittance_ingestion_halted{environment="testnet"} 0',
        'quittance_unwritable{file="log"} 0',
        'quittance_unwritable{file="vault"} 0',
        'quittance_network_reset{environment="testnet"} 0',
        'quittance_network_reset{environment="mainnet"} 0',
        'quittance_keys_lacking 0',
        'quittance_merchants_not_payable{reason="not_set_up"} 0',
        'quittance_merchants_not_payable{reason="not_payable"} 0',
      ],
    }))

  it('say everything that is wrong, and nothing of an earlier collection', async () => {
    const wrong: Found = {
      ...well,
      status: 'not_ready',
      store: null,
      read_models: { lag: 3, defect: 'payments', models: {} },
      ledgers: { testnet: { ...ledger, latest: null, halted: { reason: 'LedgerGap', ledger: 11 } }, mainnet: null },
      writes: { log: 'full' },
      resets: { status: 'network_reset', networks: [reset] },
      keys: { status: 'degraded', lacking: 2, present: [] },
      settlement: { status: 'degraded', not_set_up: 1, not_payable: 4, merchants: [] },
    }
    expect((await samplesOf(wrong)).samples).toEqual([
      'quittance_ready 0',
      'quittance_log_readable 0',
      'quittance_read_models_lag_events 3',
      'quittance_read_models_stopped 1',
      'quittance_node_answers{environment="testnet"} 0',
      'quittance_ingestion_halted{environment="testnet"} 1',
      'quittance_unwritable{file="log"} 1',
      'quittance_network_reset{environment="testnet"} 1',
      'quittance_network_reset{environment="mainnet"} 0',
      'quittance_keys_lacking 2',
      'quittance_merchants_not_payable{reason="not_set_up"} 1',
      'quittance_merchants_not_payable{reason="not_payable"} 4',
    ])
  })
})
