import { join } from 'node:path'
import { createBilling, createWorker, embedded, sqliteVault } from '@quittance/billing'
import { linkWallet, operatorAccount, settlementKey } from '@quittance/billing/testing/internals'
import { book } from '@quittance/billing/testing/shop'
import { asText, CustomerId, ProductId, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { noEvents } from '@quittance/event-store'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import { keyPairFromSeed } from '@quittance/ledger'
import { inlineProjections } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { walletCopier, walletOf } from './copied-wallets.ts'
import { enrolWallet } from './enrol-wallet.ts'
import { durability, openNetwork, rightOf } from './metered-network.ts'
import {
  beginningOf,
  type Club,
  dayMs,
  enrolmentOf,
  nobodyOf,
  subscriptionIdOf,
  termsOf,
} from './renewal-subscribers.ts'

const trialDays = 1
/** So many subscriptions are written before others have their turn. */
const atOnce = 500
/** So many customers are made by one command, and so many commands are given at once. */
const ofOneCommand = 20
const unsaid = { name: null, phone: null, image: null, metadata: {} }
/** Sees how far a long work has come. */
type Tell = (what: string, done: number, of: number) => void

/** Whole groups of consecutive numbers. */
function* groups(first: number, last: number, size: number): Generator<ReadonlyArray<number>> {
  for (let from = first; from <= last; from += size)
    yield Array.from({ length: Math.min(size, last - from + 1) }, (_, index) => from + index)
}

/**
 * A shop with so many subscriptions of 10 USDC a month, each of a customer and a wallet of its own, whose trials all end at
 * the same moment, and others whose trials go on, of customers without a record, and a mandate that is not on the ledger: nothing happens but on command.
 */
export const openRenewalShop = async (folder: string, due: number, idle: number, channels: number, tell: Tell) => {
  const network = openNetwork(folder)
  const { sandbox, usdc } = network
  const { mandateContract } = network.network
  const store = sqliteEventStore({
    path: join(folder, 'log'),
    clock: network.now,
    projections: inlineProjections,
    durability,
  })
  const vaultDatabase = openDatabase(join(folder, 'vault'), { durability, secureDelete: true })
  const vault = sqliteVault(vaultDatabase, new Uint8Array(32).fill(7), true)
  const provision = (secret: string) => async () =>
    E.bimap(
      () => ({ _tag: 'ProvisionFailed' as const, reason: 'the sandbox' }),
      () => undefined,
    )(await sandbox.provision(secret)())
  // Nobody sets up accounts by himself: there are as many channels as are made.
  const networks = { testnet: network.network, mainnet: null }
  const services = embedded(store, vault, { now: network.now }, networks, () => 'http://pay.bench')
  const billing = createBilling(services)
  const worker = createWorker(services, 'testnet', (halted) => {
    throw new Error(JSON.stringify(halted))
  })
  const step = async (): Promise<void> => rightOf((await worker?.step()) ?? E.left('there is no worker'))
  const context = () => {
    const commandId = billing.freshId()
    const rest = { correlationId: commandId, causationId: null, actor: 'bench', at: network.now() }
    return { environment: 'testnet' as const, commandId, ...rest }
  }
  const { merchantId } = rightOf(await billing.merchants.create(context(), asText('A club'))())
  const { account: payee } = rightOf(await billing.settlement(merchantId, 'testnet')())
  const made = rightOf(await billing.channels.create('testnet', channels)())
  const own = operatorAccount(services, { ...network.network, provision }, 'testnet')
  if (own === null || mandateContract === null) throw new Error('nobody charges')
  for (const key of [own.key, settlementKey('testnet', merchantId)])
    rightOf(await sandbox.provision(vault.withSeed(key, keyPairFromSeed).secret)())
  for (const { account } of made) rightOf(await sandbox.fund({ address: account })())
  const product = rightOf(await billing.products.create({ ...context(), merchantId }, book(usdc))())
  network.close()
  await step()

  const startedAt = unixMs(network.now() - (network.now() % 1_000))
  const club: Club = {
    ...{ merchantId, productId: decoded(ProductId, product.id), contract: mandateContract },
    ...{ payee, operator: own.signer.publicKey, assetId: usdc, startedAt },
  }
  const scope = { merchantId, environment: 'testnet' as const }
  const newSubscribers = async (numbers: ReadonlyArray<number>) => {
    const wanted = numbers.map((number) => ({ ...unsaid, email: `p${number}@club.example` }))
    const created = rightOf(await billing.customers.createAll({ ...context(), merchantId, isFirstRun: true }, wanted)())
    return numbers.map((number, index) => ({
      number,
      customerId: decoded(CustomerId, created[index]?.id),
      terms: termsOf(club, walletOf(number), number, trialDays),
    }))
  }
  const write = async (beginnings: ReadonlyArray<ReturnType<typeof beginningOf>>): Promise<void> => {
    const appended = beginnings.map(({ stream, events }) => store.append(stream, noEvents, events)())
    for (const each of await Promise.all(appended)) rightOf(each)
  }
  const enrol = async (numbers: ReadonlyArray<number>, copyWallets: ReturnType<typeof walletCopier>): Promise<void> => {
    const parts = groups(numbers[0] ?? 0, numbers.at(-1) ?? -1, ofOneCommand)
    const subscribers = (await Promise.all([...parts].map(newSubscribers))).flat()
    copyWallets(subscribers.map(({ terms }) => enrolmentOf(terms)))
    await write(subscribers.map(({ terms, number, customerId }) => beginningOf(club, terms, number, customerId)))
    const linked = subscribers.map(({ number, customerId, terms: { customer: wallet } }) =>
      linkWallet(services, scope, subscriptionIdOf(club, number), customerId, { wallet, closedAt: startedAt }),
    )
    for (const each of await Promise.all(linked)) rightOf(each)
  }
  const copyWallets = walletCopier(
    network.database,
    await enrolWallet(network, (wallet) => termsOf(club, wallet, 0, trialDays)),
  )
  for (const numbers of groups(1, due, atOnce)) {
    await enrol(numbers, copyWallets)
    tell('enrolled', numbers.at(-1) ?? 0, due)
  }
  const nobodys = termsOf(club, payee, 0, 300)
  for (const numbers of groups(due + 1, due + idle, atOnce)) {
    await write(numbers.map((number) => beginningOf(club, nobodys, number, nobodyOf(club, number))))
    tell('idle', (numbers.at(-1) ?? 0) - due, idle)
  }
  await step()
  return {
    step,
    closeLedger: network.close,
    endTrials: (): void => network.close(startedAt + trialDays * dayMs + 1_000 - network.now()),
    networkMicros: network.micros,
    /** How many subscriptions were told of a charge, and the calls that charged, as they were told of them. */
    renewed: () => {
      const confirmed = `FROM events WHERE type = 'ChargeConfirmed'`
      const told = store.reader.prepare(`SELECT count(DISTINCT stream) AS told ${confirmed}`).get()?.told
      const calls = store.reader
        .prepare(
          `SELECT data ->> 'ledger' AS ledger, count(*) AS size ${confirmed} GROUP BY data ->> 'transactionHash'`,
        )
        .all()
      return {
        subscriptions: Number(told),
        calls: calls.map(({ ledger, size }) => ({ ledger: Number(ledger), size: Number(size) })),
      }
    },
    /** What the shop holds, in stroops. */
    held: async (): Promise<bigint> => {
      const [holding] = rightOf(await network.network.gateway.balances([{ account: payee, assetId: usdc }])())
      return holding?.held ?? 0n
    },
    close: (): void => {
      store.close()
      vaultDatabase.close()
      network.end()
    },
  }
}
