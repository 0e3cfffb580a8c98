/**
 * A platform whose processes share one PostgreSQL: each assembles its services like this. It makes a merchant, and finds it
 * where another process would.
 *
 *     node docs/example/shared-database.ts postgres://user@host/database <master key: 64 hex digits>
 */
import {
  type CommandContext,
  createBilling,
  erasedSubjectsFile,
  inDatabase,
  masterKeyFromHex,
  openSharedTables,
  postgresVault,
  quoter,
} from '@quittance/billing'
import { AcceptedAsset, asText, stroops, unixMs } from '@quittance/domain'
import { postgresEventStore, postgresPrograms, postgresReader } from '@quittance/event-store/postgres'
import { openDatabase } from '@quittance/event-store/sqlite'
import { rpcGateway, sandboxRates } from '@quittance/ledger'
import { postgresProjections, postgresReading } from '@quittance/projections/postgres'
import { listen, openSandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'

const [, , connectionString = '', hex = '', erased = 'erased.txt'] = process.argv
const masterKey = masterKeyFromHex(hex)
if (E.isLeft(masterKey)) throw new Error('the master key must be 64 hex digits')

const clock = { now: () => unixMs(Date.now()) }
const log = await postgresEventStore({ connectionString, clock: clock.now, projections: postgresProjections })
const sql = await postgresPrograms({ connectionString })
const reader = postgresReader({ connectionString })
await openSharedTables(sql)

const head = await log.logHead()
if (E.isLeft(head)) throw new Error(String(head.left.cause))
const isNew = head.right.position === 0
const vault = await postgresVault(sql, masterKey.right, isNew, erasedSubjectsFile(erased))

const native = AcceptedAsset.decode({ assetId: 'native', description: 'lumens', pegged: false })
// In earnest, the nodes of a Stellar network.
const sandbox = openSandbox({ database: openDatabase(':memory:', { durability: 'full' }), wallClock: Date.now })
const { networkPassphrase } = sandbox
const node = await listen(sandbox)
const testnet = {
  gateway: rpcGateway({ url: node.url, networkPassphrase, timeoutMs: 5_000 }),
  ...quoter(sandboxRates),
  paths: null,
  assets: E.isRight(native) ? [native.right] : [],
  provision: null,
  setUpBalance: stroops(0n),
  isInBackups: false,
  friendbot: null,
  mandateContract: null,
}
const networks = { testnet, mainnet: null }
const database = { log, reading: postgresReading(reader), sql }
const deployment = { vault, clock, networks, publicUrl: () => 'https://pay.example.com' }
const services = inDatabase(database, deployment)
const billing = createBilling(services)

const commandId = billing.freshId()
const ids = { commandId, correlationId: commandId, causationId: null }
const command: Omit<CommandContext, 'merchantId'> = { environment: 'testnet', ...ids, actor: 'me', at: clock.now() }
const made = await billing.merchants.create(command, asText('Ada & Co'))()
if (E.isLeft(made)) throw new Error(made.left._tag)

const other = createBilling(inDatabase(database, deployment))
const found = await other.merchants.authenticate(made.right.secret)()
if (E.isLeft(found)) throw new Error(found.left._tag)
console.log(
  'the other process knows the key',
  found.right._tag === 'Some' && found.right.value.merchantId === made.right.merchantId,
)

for (const each of [reader, sql, log, node]) await each.close()
sandbox.stop()
