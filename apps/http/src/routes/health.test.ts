import { isInDatabase, isOnServer } from '../testing/event-store.ts'
import { eventually } from '../testing/eventually.ts'
import { readinessAt } from '../testing/readiness.ts'
import { type Service, startService } from '../testing/service.ts'

/** The files of SQLite that the store is in. */
const storeFiles = isInDatabase ? ['database'] : [isOnServer ? 'read-models.db' : 'quittance.db', 'vault.db']

const models = [
  'announcements',
  'merchants',
  'api_keys',
  'products',
  'customers',
  'customer_merges',
  'wallet_owners',
  'checkouts',
  'checkout_references',
  'invoice_references',
  'payments',
  'access',
  'subscriptions',
  'subscription_alarms',
  'subscription_debts',
  'subscription_names',
  'mandate_contracts',
  'offered_contracts',
  'network_epochs',
  'mandates',
  'approvals',
  'price_changes',
  'price_change_subscriptions',
  'lost_revenue',
  'refunds',
  'settlement_set_ups',
  'incoming_payments',
  'platform_fees',
  'refund_claims',
  'exceptions',
  'unexplained',
  'fundings',
  'payouts',
  'payout_claims',
  'payout_destinations',
  'payout_schedules',
  'watched_accounts',
  'credit_books',
  'credit_transactions',
  'webhooks',
  'intents',
  'price_changes',
  'price_change_subscriptions',
  'approvals',
  'ledger_transactions',
  'channels',
]

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('/health tells that the process answers', async () => {
  const { status, body } = await service.anyone('/health')
  expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } })
})

it('/ready tells strangers whether requests can be answered, and nothing else', async () => {
  const { status, body } = await eventually(
    () => service.anyone('/ready'),
    (answer) => answer.status === 200,
  )
  expect({ status, body }).toEqual({ status: 200, body: { status: 'ready' } })
})

it('/ready beside the metrics shows operators store, read models and ledger with numbers', async () => {
  const { body } = await eventually(
    () => readinessAt(service.url),
    ({ body: { ledgers, settlement } }) => ledgers.testnet.lag === 0 && settlement.not_set_up === 0,
  )
  expect(body).toEqual({
    status: 'ready',
    store: { position: expect.any(Number) },
    transparency: { status: 'kept', reason: null, witnesses: {} },
    read_models: {
      lag: 0,
      defect: null,
      models: Object.fromEntries(models.map((name) => [name, { version: expect.any(Number), lag: 0 }])),
    },
    ledgers: {
      testnet: {
        walked: expect.any(Number),
        latest: expect.any(Number),
        lag: 0,
        clock_ahead: expect.any(Number),
        halted: null,
        protocol: { current: 27, readable: 27, prepared: null, passed_over: 0, announced: null, unread: null },
      },
      mainnet: null,
    },
    log: { status: 'sound', reasons: [] },
    release: { status: 'current', reason: null },
    stopping: false,
    freezes: { status: 'none', freezes: [] },
    resets: { status: 'none', networks: [] },
    writes: Object.fromEntries([...storeFiles, 'sandbox.db'].map((name) => [name, 'ok'])),
    rates: { status: 'ok', troubles: [], credits_waiting: 0 },
    payouts: { status: 'ok', troubles: [] },
    anchors: { status: 'ok', failing: [] },
    keys: { status: 'ok', lacking: 0, present: [] },
    setbacks: { status: 'ok', present: [] },
    rent: { status: 'ok', lives: expect.any(Array) },
    settlement: { status: 'ok', not_set_up: 0, not_payable: 0, merchants: [] },
    contracts: {
      status: 'current',
      contracts: [{ environment: 'testnet', contract: expect.stringMatching(/^C/), standing: 'configured' }],
    },
    books: {
      status: 'ok',
      ledgers: {
        testnet: { unexplained: 0, first_unexplained: null, named: expect.objectContaining({ unexplained: 0 }) },
        mainnet: null,
      },
      violations: [],
    },
  })
  const product = { name: 'A', type: 'one_time', currency_code: 'EUR', price_amount: 1 }
  await service.api('/product', { body: product })
  expect((await readinessAt(service.url)).body.store.position).toBe(body.store.position + 1)
})
