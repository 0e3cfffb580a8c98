import type { RecordedEvent } from '@quittance/domain'
import { noEvents } from '@quittance/event-store'
import { type SqliteEventStore, sqliteEventStore } from '@quittance/event-store/sqlite'
import { Registry } from 'prom-client'
import { measureEvents } from './event-counts.ts'

const event = (id: string, type: string) => ({
  id,
  type,
  schemaVersion: 1,
  data: {},
  context: {
    merchantId: 'mer_1',
    environment: 'mainnet' as const,
    commandId: id,
    correlationId: id,
    causationId: null,
    actor: 'ada',
    occurredAt: 0,
  },
})

describe('the counter of events', () => {
  let store: SqliteEventStore
  beforeEach(() => {
    store = sqliteEventStore({ path: ':memory:', clock: () => 0, projections: [] })
  })
  afterEach(() => store.close())

  const append = async (stream: string, ...types: ReadonlyArray<string>): Promise<void> => {
    const appended = await store.append(
      stream,
      noEvents,
      types.map((type, n) => event(`${stream} ${n}`, type)),
    )()
    expect(appended._tag).toBe('Right')
  }
  const end = async (): Promise<bigint> => BigInt(store.logHead().position)
  const allOf = async (registry: Registry): Promise<ReadonlyArray<string>> =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('quittance_events_total{'))
  const samplesOf = async (registry: Registry): Promise<ReadonlyArray<string>> =>
    (await allOf(registry)).filter((line) => !line.endsWith(' 0')).sort()

  it('begins at 0 for sales, renewals and failed charges', async () => {
    const registry = new Registry()
    measureEvents(store, end, registry)
    const zeros = (environment: string) =>
      ['PaymentConfirmed', 'ChargeConfirmed', 'ChargeFailed'].map(
        (type) => `quittance_events_total{environment="${environment}",type="${type}"} 0`,
      )
    expect(await allOf(registry)).toEqual([...zeros('testnet'), ...zeros('mainnet')])
  })

  it('counts by type what was recorded after the first collection, once each, and of its streams alone', async () => {
    const registry = new Registry()
    measureEvents(store, end, registry)
    await append('payment-1', 'PaymentOpened')
    expect(await samplesOf(registry)).toEqual([])
    await append('payment-2', 'PaymentOpened', 'PaymentConfirmed')
    await append('subscription-1', 'ChargeFailed')
    await append('customer-1', 'CustomerCreated')
    const first = [
      'quittance_events_total{environment="mainnet",type="PaymentConfirmed"} 1',
      'quittance_events_total{environment="mainnet",type="PaymentOpened"} 1',
    ]
    const failed = 'quittance_events_total{environment="mainnet",type="ChargeFailed"}'
    expect(await samplesOf(registry)).toEqual([`${failed} 1`, ...first])
    await append('subscription-2', 'ChargeFailed')
    expect(await Promise.all([samplesOf(registry), samplesOf(registry)])).toEqual([
      [`${failed} 2`, ...first],
      [`${failed} 2`, ...first],
    ])
  })

  it('begins once the log answers, and reads on after a failure where it was', async () => {
    const registry = new Registry()
    let answers = 0
    let fails = false
    const readAll = async function* (after: bigint): AsyncGenerator<RecordedEvent> {
      for await (const each of store.readAll(after)) {
        yield each
        if (fails) throw new Error('the log is gone')
      }
    }
    measureEvents({ readAll }, async () => (answers++ === 0 ? null : end()), registry)
    await append('payment-1', 'PaymentOpened')
    await samplesOf(registry)
    await append('payment-2', 'PaymentOpened')
    expect(await samplesOf(registry)).toEqual([])
    await append('payment-3', 'PaymentOpened', 'PaymentConfirmed')
    fails = true
    const opened = 'quittance_events_total{environment="mainnet",type="PaymentOpened"} 1'
    expect(await samplesOf(registry)).toEqual([opened])
    fails = false
    expect(await samplesOf(registry)).toEqual([
      'quittance_events_total{environment="mainnet",type="PaymentConfirmed"} 1',
      opened,
    ])
  })
})
