import { createWorker } from '@quittance/billing'
import { linkWallet, operatorAccount, settlementKey } from '@quittance/billing/testing/internals'
import { done, right } from '@quittance/billing/testing/outcomes'
import { book } from '@quittance/billing/testing/shop'
import { asText, CustomerId, ProductId, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { noEvents } from '@quittance/event-store'
import { keyPairFromSeed } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { walletCopier, walletOf } from './copied-wallets.ts'
import { enrolWallet } from './enrol-wallet.ts'
import { openNetwork } from './metered-network.ts'
import { openMeteredServices } from './metered-services.ts'
import {
  beginningOf,
  type Club,
  dayMs,
  enrolmentOf,
  subscriptionIdOf,
  termsOf,
  unknownCustomer,
} from './renewal-subscribers.ts'

const trialDays = 1
/** Subscriptions written before other work has its turn. */
const atOnce = 500
/** Customers per command, and concurrent commands. */
const ofOneCommand = 20
const noDetails = { name: null, phone: null, image: null, metadata: {} }
/** Reports progress. */
type ReportProgress = (what: string, done: number, of: number) => void

/** Groups of consecutive numbers. */
function* groups(first: number, last: number, size: number): Generator<ReadonlyArray<number>> {
  for (let from = first; from <= last; from += size)
    yield Array.from({ length: Math.min(size, last - from + 1) }, (_, index) => from + index)
}

/**
 * A shop with `due` subscriptions of 10 USDC a month, each with its own customer and wallet, whose trials end at the
 * same time, and `idle` ones still on trial, without recorded customers or a mandate on the ledger. Everything happens
 * on command.
 */
export const openRenewalShop = async (
  folder: string,
  due: number,
  idle: number,
  channels: number,
  report: ReportProgress,
) => {
  const network = openNetwork(folder)
  const { sandbox, usdc } = network
  const { mandateContract } = network.network
  const { store, vault, services, billing, newContext, close } = openMeteredServices(folder, network)
  // The service provisions no accounts itself, so that there are exactly as many channels as this creates.
  const _provision = (secret: string) => async () => {
    const provisioned = await sandbox.provision(secret)()
    return E.isLeft(provisioned)
      ? E.left({ _tag: 'ProvisionFailed' as const, reason: 'the sandbox' })
      : E.right(undefined)
  }
  const worker = createWorker(services, 'testnet', (halted) => {
    throw new Error(JSON.stringify(halted))
  })
  const step = async (): Promise<void> => right((await worker?.step()) ?? E.left('there is no worker'))
  const { merchantId } = await done(billing.merchants.create(newContext(), asText('A club')))
  const { account: payee } = await done(billing.settlement(merchantId, 'testnet'))
  const made = await done(billing.channels.create('testnet', channels))
  await done(billing.operator.create('testnet'))
  const own = await operatorAccount(services, 'testnet')
  if (own === null || mandateContract === null) throw new Error('the network has no operator')
  for (const key of [own.key, settlementKey('testnet', merchantId)])
    await done(sandbox.provision((await vault.carriage.withSeed(key, keyPairFromSeed)).secret))
  for (const { account } of made) await done(sandbox.fund({ address: account }))
  const product = await done(billing.products.create({ ...newContext(), merchantId }, book(usdc)))
  network.close()
  await step()

  const startedAt = unixMs(network.now() - (network.now() % 1_000))
  const club: Club = {
    ...{ merchantId, productId: decoded(ProductId, product.id), contract: mandateContract },
    ...{ payee, operator: own.account, assetId: usdc, startedAt },
  }
  const scope = { merchantId, environment: 'testnet' as const }
  const newSubscribers = async (numbers: ReadonlyArray<number>) => {
    const wanted = numbers.map((number) => ({ ...noDetails, email: `p${number}@club.example` }))
    const created = await done(billing.customers.createAll({ ...newContext(), merchantId, isFirstRun: true }, wanted))
    return numbers.map((number, index) => ({
      number,
      customerId: decoded(CustomerId, created[index]?.id),
      terms: termsOf(club, walletOf(number), number, trialDays),
    }))
  }
  const write = async (beginnings: ReadonlyArray<ReturnType<typeof beginningOf>>): Promise<void> => {
    const appended = beginnings.map(({ stream, events }) => store.append(stream, noEvents, events)())
    for (const each of await Promise.all(appended)) right(each)
  }
  const enrol = async (numbers: ReadonlyArray<number>, copyWallets: ReturnType<typeof walletCopier>): Promise<void> => {
    const parts = groups(numbers[0] ?? 0, numbers.at(-1) ?? -1, ofOneCommand)
    const subscribers = (await Promise.all([...parts].map(newSubscribers))).flat()
    copyWallets(subscribers.map(({ terms }) => enrolmentOf(terms)))
    await write(subscribers.map(({ terms, number, customerId }) => beginningOf(club, terms, number, customerId)))
    const linked = subscribers.map(({ number, customerId, terms: { customer: wallet } }) =>
      linkWallet(services, scope, subscriptionIdOf(club, number), customerId, { wallet, closedAt: startedAt }),
    )
    for (const each of await Promise.all(linked)) right(each)
  }
  const copyWallets = walletCopier(
    network.database,
    await enrolWallet(network, (wallet) => termsOf(club, wallet, 0, trialDays)),
  )
  for (const numbers of groups(1, due, atOnce)) {
    await enrol(numbers, copyWallets)
    report('enrolled', numbers.at(-1) ?? 0, due)
  }
  const idleTerms = termsOf(club, payee, 0, 300)
  for (const numbers of groups(due + 1, due + idle, atOnce)) {
    await write(numbers.map((number) => beginningOf(club, idleTerms, number, unknownCustomer(club, number))))
    report('idle', (numbers.at(-1) ?? 0) - due, idle)
  }
  await step()
  return {
    log: store,
    step,
    closeLedger: network.close,
    endTrials: (): void => network.close(startedAt + trialDays * dayMs + 1_000 - network.now()),
    networkMicros: network.micros,
    /** The number of charged subscriptions, and the size and ledger of each charging call, by the log. */
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
    /** The shop's balance, in stroops. */
    held: async (): Promise<bigint> => {
      const [holding] = await done(network.network.gateway.balances([{ account: payee, assetId: usdc }]))
      return holding?.held ?? 0n
    },
    close: (): void => {
      close()
      network.end()
    },
  }
}
