import {
  AccountId,
  asText,
  Customer,
  type Departure,
  type Environment,
  Merchant,
  MerchantId,
  type RecordedEvent,
  Webhook,
} from '@quittance/domain'
import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { Services } from '../../services/services.ts'
import { accountsOf } from './accounts-of.ts'
import { hashCollector } from './carried-hashes.ts'
import type { Beginning, EventLine, Line, RowLine } from './lines.ts'
import { categoryOf, idOf, ownStreams } from './own-streams.ts'

type Composed = {
  readonly beginning: Beginning
  readonly lines: () => AsyncGenerator<Exclude<Line, { readonly kind: 'end' }>, void>
}

/** Collects a merchant that has left: reads the log three times, and holds the names of its streams, not their events. */
export const compose = async (
  services: Pick<Services, 'store' | 'vault' | 'readModels'>,
  sql: SqlDatabase,
  merchantId: string,
  { by, reason, at, through }: Departure,
): Promise<Composed> => {
  const { store, vault, readModels } = services
  const accounts = await accountsOf(services, merchantId)
  const held = new Set(accounts.map(({ account }) => account))
  const streams = await ownStreams(store, merchantId, held)
  const events = async function* (): AsyncGenerator<RecordedEvent, void> {
    for await (const event of store.readAll(0n)) if (streams.has(event.stream)) yield event
  }

  const hashes = hashCollector(vault, merchantId, streams)
  const foreign = new Set<AccountId>()
  const subjects = new Set<string>()
  const webhooks = new Set<string>()
  const passphrases = new Map<Environment, string>()
  for await (const event of events()) {
    await hashes.take(event)
    for (const account of namedAccounts(event)) if (!held.has(account)) foreign.add(account)
    for (const wallet of customersIn(event)) hashes.wallet(wallet)
    const category = categoryOf(event)
    if (category === Customer.category) subjects.add(idOf(event))
    if (category === Webhook.category) webhooks.add(idOf(event))
    if (category !== Merchant.category) continue
    const { environment, networkPassphrase } = event.data
    if (event.type === 'SettlementAccountSet' && (environment === 'testnet' || environment === 'mainnet'))
      passphrases.set(environment, String(networkPassphrase))
  }
  const { hashes: carried, lostKeys } = await hashes.end()
  const places = through.map((each) => ({ ...each, networkPassphrase: passphrases.get(each.environment) ?? '' }))
  const beginning: Beginning = {
    kind: 'merchant',
    merchantId: decodeOrThrow(MerchantId, merchantId),
    name: (await readModels.merchants.withId(merchantId))?.row.name ?? asText(merchantId),
    by,
    reason,
    leftAt: at,
    places,
    accounts: accounts.map(({ environment, account, holds }) => ({ environment, account, holds })),
    foreign: [...foreign],
    lostKeys: [...lostKeys],
  }
  const lines: Composed['lines'] = async function* () {
    yield beginning
    for (const subject of subjects) {
      const key = await vault.carriage.subject(subject)
      if (key === null) continue
      yield { kind: 'subject', subject, key: key === 'erased' ? null : Buffer.from(key).toString('base64') }
    }
    for (const { keys } of accounts)
      for (const key of keys)
        yield {
          kind: 'seed',
          name: key,
          seed: await vault.carriage.withSeed(key, (seed) => Buffer.from(seed).toString('base64')),
        }
    for (const each of carried) yield { kind: 'hash', ...each }
    for await (const event of events()) yield lineOf(event)
    for (const line of rowsOf(sql, merchantId, webhooks)) yield line
  }
  return { beginning, lines }
}

const mandateIn = ({ type, data }: RecordedEvent): unknown => {
  if (type === 'MandateReplaced') return data.mandate
  const { details } = data
  return type === 'SubscriptionStarted' && isObject(details) ? details.mandate : null
}

/** The accounts of the source that an event names: those that gave transactions their numbers, and those that charged. */
const namedAccounts = (event: RecordedEvent): ReadonlyArray<AccountId> => {
  const mandate = mandateIn(event)
  const named = [event.type === 'TransactionPrepared' ? event.data.sourceAccount : null]
  return [...named, isObject(mandate) ? mandate.operator : null].filter(AccountId.is)
}

const customersIn = (event: RecordedEvent): ReadonlyArray<AccountId> => {
  const mandate = mandateIn(event)
  return [isObject(mandate) ? mandate.customer : null].filter(AccountId.is)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const lineOf = ({
  id,
  stream,
  revision,
  type,
  schemaVersion,
  data,
  metadata,
  recordedAt,
}: RecordedEvent): EventLine => ({
  kind: 'event',
  id,
  stream,
  revision: Number(revision),
  type,
  schemaVersion,
  data,
  metadata,
  recordedAt,
})

/** What is in no log: which requests were answered, how far endpoints have read, and what waits for them. */
function* rowsOf(sql: SqlDatabase, merchantId: string, webhooks: ReadonlySet<string>): Generator<RowLine, void> {
  const read = (text: string, value: string) => sql.prepare(text).all(value)
  for (const row of read('SELECT * FROM idempotency_claims WHERE merchant_id = ?', merchantId))
    yield { kind: 'row', table: 'idempotency_claims', row: cells(row) }
  for (const id of webhooks)
    for (const row of read('SELECT * FROM webhook_endpoints WHERE webhook_id = ?', id))
      yield { kind: 'row', table: 'webhook_endpoints', row: cells(row) }
  for (const row of read('SELECT * FROM webhook_deliveries WHERE merchant_id = ?', merchantId))
    yield { kind: 'row', table: 'webhook_deliveries', row: cells(row) }
}

const cells = (row: SqlRow): RowLine['row'] =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Uint8Array || typeof value === 'bigint') throw new Error(`${name} is no text and no number`)
      return [name, value]
    }),
  )
