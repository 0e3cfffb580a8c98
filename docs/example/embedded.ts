/**
 * The billing core in your own process, without HTTP. A platform opens its log with a read model of its own, sells a
 * book, a customer's wallet pays on a Stellar network (here the sandbox), and the platform checks the access, hears of
 * the event, shuts down, and rebuilds its read model. Everything is in one directory:
 *
 *     node docs/example/embedded.ts <directory>
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type CommandContext,
  createBilling,
  createDeliverer,
  createWorker,
  embedded,
  masterKeyFile,
  quoter,
  runDeliverer,
  runWorker,
  sender,
  sqliteVault,
} from '@quittance/billing'
import {
  AcceptedAsset,
  AccountId,
  asText,
  CurrencyCode,
  count,
  decimalFromStroops,
  HttpUrl,
  Payment,
  ProductType,
  positiveCount,
  Stroops,
  stroops,
  unixMs,
} from '@quittance/domain'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import { keyPairFromSeed, localSigner, rpcGateway, sandboxRates, signTransaction } from '@quittance/ledger'
import {
  decodedBy,
  inlineProjection,
  inlineProjections,
  type ReadModel,
  rowWriter,
  sqliteReading,
  table,
} from '@quittance/projections'
import { rebuild } from '@quittance/projections/rebuild'
import { listen, openSandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

const done = async <L, A>(task: TaskEither<L, A>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
  return outcome.right
}
const decoded = <A>(outcome: E.Either<unknown, A>): A => {
  if (E.isLeft(outcome)) throw new Error('the example is malformed')
  return outcome.right
}

const [, , directory = 'data-embedded'] = process.argv
mkdirSync(directory, { recursive: true })

// A Stellar network. Against a real one, only the gateway and a source of rates differ.
const sandbox = openSandbox({
  database: openDatabase(join(directory, 'sandbox.db'), { durability: 'full' }),
  wallClock: Date.now,
})
const node = await listen(sandbox)
const usdc = sandbox.assets().find(({ code }) => code === 'USDC')
const testnet = {
  gateway: rpcGateway({ url: node.url, networkPassphrase: sandbox.networkPassphrase, timeoutMs: 5_000 }),
  ...quoter(sandboxRates),
  paths: null,
  assets: [decoded(AcceptedAsset.decode({ assetId: usdc?.assetId, description: 'US dollars', pegged: true }))],
  provision: (secret: string) => async () => {
    const provisioned = await sandbox.provision(secret)()
    return E.isLeft(provisioned)
      ? E.left({ _tag: 'ProvisionFailed' as const, reason: provisioned.left.code })
      : E.right(undefined)
  },
  setUpBalance: stroops(100_000_000_000n),
  isInBackups: true,
  friendbot: null,
  mandateContract: null,
}

// A read model of the platform: what each confirmed payment brought. Its rows are written with the events.
const paymentEvent = decodedBy(Payment)
const takings: ReadModel<Stroops> = {
  name: 'takings',
  version: 1,
  category: Payment.category,
  row: Stroops,
  fold: (row, recorded) => {
    const event = paymentEvent(recorded)
    return event.type === 'PaymentConfirmed' ? O.some(event.data.amount) : row
  },
  columns: () => ({}),
}
const own = [rowWriter(takings)]

// The core: a log, a vault, a clock, the networks.
const logFile = join(directory, 'quittance.db')
const clock = { now: () => unixMs(Math.floor(sandbox.clock().now)) }
const store = sqliteEventStore({
  path: logFile,
  clock: clock.now,
  projections: [...inlineProjections, ...own.map(inlineProjection)],
})
const vaultFile = openDatabase(join(directory, 'vault.db'), { durability: 'full', secureDelete: true })
// Keep the master key away from the vault, because it opens every other key.
const masterKey = decoded(masterKeyFile(join(directory, 'master.key')))
const vault = sqliteVault(vaultFile, masterKey, store.logHead().position === 0)
const services = embedded(store, {
  vault,
  clock,
  networks: { testnet, mainnet: null },
  publicUrl: () => 'https://pay.example.com',
})
const billing = createBilling(services)
const worker = createWorker(services, 'testnet', (halted) => console.error('the ledger cannot be followed', halted))
if (worker === null) throw new Error('the testnet is configured')
const deliverer = createDeliverer(services, { sender: sender() })

// What needs no request goes on beside, until the platform stops.
const stop = new AbortController()
const running = Promise.all([
  runWorker(worker, stop.signal, (report) => console.error('worker', report)),
  runDeliverer(deliverer, stop.signal, (report) => console.error('deliverer', report)),
])

/** A command's id makes it repeatable: the same id changes nothing and returns the same answer. */
const command = (merchantId: string): CommandContext => {
  const commandId = billing.freshId()
  const at = clock.now()
  return { merchantId, environment: 'testnet', commandId, correlationId: commandId, causationId: null, actor: 'me', at }
}

const { merchantId } = await done(billing.merchants.create(command(''), asText('Ada & Co')))

// The platform's own server hears of events. Verify their signatures as docs/webhooks.md says.
const heard: Array<string> = []
const server = createServer((request, response) => {
  heard.push(String(request.headers['webhook-id']))
  response.end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : null
const name = asText('Payments')
const url = decoded(HttpUrl.decode(`http://127.0.0.1:${port}`))
const endpoint = { name, url, events: [asText('payment.confirmed')], description: null }
await done(billing.webhooks.create(command(merchantId), endpoint))

const product = await done(
  billing.products.create(command(merchantId), {
    name: asText('The Art of the Ledger'),
    description: null,
    images: [],
    type: decoded(ProductType.decode('one_time')),
    currency: decoded(CurrencyCode.decode('EUR')),
    price: { amount: '12.5', amountCents: null },
    assetId: null,
    recurringPeriod: null,
    trialDays: null,
    unit: null,
    unitsPerCredit: positiveCount(1),
    totalCredits: count(0),
    metadata: {},
  }),
)
const checkout = await done(
  billing.checkouts.createForProduct(command(merchantId), product.id, {
    customer: { id: null, email: 'grace@example.com', phone: null },
    redirectUrl: null,
    description: null,
    metadata: {},
  }),
)

// The customer's wallet holds dollars and signs the payment.
const seed = randomBytes(32)
const wallet = keyPairFromSeed(seed)
await done(sandbox.provision(wallet.secret))
if (usdc !== undefined) await done(sandbox.fund({ address: wallet.accountId, assetId: usdc.assetId }))
const source = decoded(AccountId.decode(wallet.accountId))
const { transaction_xdr } = await done(billing.payer.transaction(checkout.id, source))
const signed = await done(signTransaction(transaction_xdr, sandbox.networkPassphrase, localSigner(seed)))
await done(billing.payer.submit(checkout.id, signed))

// The ledger closes, the worker ingests it, and the deliverer sends the event.
sandbox.close()
while (heard.length === 0) await pause(50)
const scope = { merchantId, environment: 'testnet' as const }
const paid = await done(billing.checkouts.retrieve(scope, checkout.id))
console.log('checkout', paid.status)
console.log('payment ', (await done(billing.payments.retrieve(scope, String(paid.payment_id)))).amount)
console.log('access  ', JSON.stringify(await done(billing.access(scope, String(paid.customer_id), product.id))))
const taken = await table(sqliteReading(store.reader), takings).withId(String(paid.payment_id))
if (taken !== null) console.log('takings ', decimalFromStroops(taken.row))

// What is under way ends before its files close.
stop.abort()
await running
server.close()
store.close()
vaultFile.close()
await node.close()
sandbox.stop()

// A read model is rebuilt from the log, also while the log is in use, and compared with what was there.
const rebuilding = { path: logFile, log: null, models: ['takings'], own, compareOnly: false, onProgress: () => {} }
for (const { model, rows, differing } of await done(rebuild(rebuilding)))
  console.log('rebuilt ', model, rows, differing)
