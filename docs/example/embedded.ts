/**
 * The billing core in your own process, without HTTP. A platform opens its log, sells a book, a customer's wallet pays on
 * a Stellar network (here the sandbox), and the platform checks the access. Everything is in one directory:
 *
 *     node docs/example/embedded.ts <directory>
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CommandContext,
  createBilling,
  createWorker,
  embedded,
  masterKeyFile,
  quoter,
  sqliteVault,
} from '@quittance/billing'
import {
  AcceptedAsset,
  AccountId,
  asText,
  CurrencyCode,
  count,
  ProductType,
  positiveCount,
  stroops,
  unixMs,
} from '@quittance/domain'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import { keyPairFromSeed, localSigner, rpcGateway, sandboxRates, signTransaction } from '@quittance/ledger'
import { inlineProjections } from '@quittance/projections'
import { listen, openSandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
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

// The core: a log, a vault, a clock, the networks.
const clock = { now: () => unixMs(Math.floor(sandbox.clock().now)) }
const store = sqliteEventStore({
  path: join(directory, 'quittance.db'),
  clock: clock.now,
  projections: inlineProjections,
})
const vaultFile = openDatabase(join(directory, 'vault.db'), { durability: 'full', secureDelete: true })
// Keep the master key away from the vault, because it opens every other key.
const masterKey = decoded(masterKeyFile(join(directory, 'master.key')))
const vault = sqliteVault(vaultFile, masterKey, store.logHead().position === 0)
const services = embedded(store, vault, clock, { testnet, mainnet: null }, () => 'https://pay.example.com')
const billing = createBilling(services)
const worker = createWorker(services, 'testnet', (halted) => console.error('the ledger cannot be followed', halted))
if (worker === null) throw new Error('the testnet is configured')

/** A command's id makes it repeatable: the same id changes nothing and returns the same answer. */
const command = (merchantId: string): CommandContext => {
  const commandId = billing.freshId()
  const at = clock.now()
  return { merchantId, environment: 'testnet', commandId, correlationId: commandId, causationId: null, actor: 'me', at }
}

const { merchantId } = await done(billing.merchants.create(command(''), asText('Ada & Co')))
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

// The ledger closes, and the worker ingests it.
sandbox.close()
await done(worker.step)
const scope = { merchantId, environment: 'testnet' as const }
const paid = await done(billing.checkouts.retrieve(scope, checkout.id))
console.log('checkout', paid.status)
console.log('payment ', (await done(billing.payments.retrieve(scope, String(paid.payment_id)))).amount)
console.log('access  ', JSON.stringify(await done(billing.access(scope, String(paid.customer_id), product.id))))

store.close()
vaultFile.close()
await node.close()
