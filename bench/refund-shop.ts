import { join } from 'node:path'
import { createBilling, createWorker, embedded, sqliteVault } from '@quittance/billing'
import {
  AccountId,
  asText,
  CheckoutId,
  noMetadata,
  Payment,
  type PaymentCommand,
  PaymentId,
  stroops,
} from '@quittance/domain'
import { decoded, exampleCredit, exampleId, hashOf, native } from '@quittance/domain/testing'
import { noEvents } from '@quittance/event-store'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { Keypair } from '@stellar/stellar-sdk'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { durability, openNetwork, rightOf } from './metered-network.ts'
import { recorded } from './sales.ts'

/** In stroops: of ten thousand, less than friendbot gives. */
const leastAmount = 4_000_000n
/** A payment of somebody without a session, as far as a refund looks: no two are of one amount. */
const paymentOf = (n: number, merchantId: string, from: AccountId) => {
  const transactionHash = hashOf(n + 1)
  const amount = stroops(leastAmount + BigInt(n))
  const none = stroops(0n)
  const commands: ReadonlyArray<PaymentCommand> = [
    {
      type: 'OpenPayment',
      checkoutId: exampleId(CheckoutId, n + 1),
      customerId: null,
      productId: null,
      subscriptionId: null,
      assetId: native,
      currencyCode: null,
      amountCents: null,
      metadata: noMetadata,
      cause: 'credit',
    },
    { type: 'RecordCredit', credit: { ...exampleCredit, transactionHash, amount, from, assetId: native } },
    {
      type: 'ConfirmPayment',
      excess: none,
      overpaid: none,
      late: false,
      transactionHash,
      walletId: null,
      billingDetails: null,
    },
  ]
  const events = recorded(Payment, commands, n, 2)
  return {
    id: exampleId(PaymentId, n + 1),
    events: events.map((event) => ({ ...event, context: { ...event.context, merchantId } })),
  }
}

/**
 * A shop with so many confirmed payments to give back, the money for them, so many channels of its own, and so many
 * workers: nothing happens but on command. Ledger and log are files in a folder.
 */
export const openRefundShop = async (folder: string, payments: number, channels: number, workers = 1) => {
  const network = openNetwork(folder)
  const { sandbox } = network
  const store = sqliteEventStore({
    path: join(folder, 'log'),
    clock: network.now,
    projections: inlineProjections,
    durability,
  })
  const vaultDatabase = openDatabase(join(folder, 'vault'), { durability, secureDelete: true })
  const vault = sqliteVault(vaultDatabase, new Uint8Array(32).fill(7), true)
  const networks = { testnet: network.network, mainnet: null }
  const services = embedded(store, vault, { now: network.now }, networks, () => 'http://pay.bench')
  const billing = createBilling(services)
  const steps = Array.from({ length: workers }, () => {
    const worker = createWorker(services, 'testnet', (halted) => {
      throw new Error(JSON.stringify(halted))
    })
    return worker?.step ?? TE.left('there is no worker')
  })
  const context = () => {
    const commandId = billing.freshId()
    const rest = { correlationId: commandId, causationId: null, actor: 'bench', at: network.now() }
    return { environment: 'testnet' as const, commandId, ...rest }
  }
  const { merchantId } = rightOf(await billing.merchants.create(context(), asText('A shop'))())
  const { account } = rightOf(await billing.settlement(merchantId, 'testnet')())
  const payer = decoded(AccountId, Keypair.random().publicKey())
  const made = rightOf(await billing.channels.create('testnet', channels)())
  for (const address of [account, payer, ...made.map((channel) => channel.account)])
    rightOf(await sandbox.fund({ address })())
  /** Each worker steps once, all at the same time. */
  const step = async (): Promise<void> => {
    for (const stepped of await Promise.all(steps.map((each) => each()))) rightOf<unknown>(stepped)
  }
  await step()
  const ids: Array<string> = []
  for (let n = 0; n < payments; n++) {
    const { id, events } = paymentOf(n, merchantId, payer)
    rightOf(await store.append(`${Payment.category}-${id}`, noEvents, events)())
    ids.push(id)
  }
  return {
    sandbox,
    account,
    ids,
    log: store,
    shown: async () => services.readModels,
    now: network.now,
    step,
    closeLedger: (): void => network.close(),
    /** Of the network's part, in microseconds. */
    networkMicros: network.micros,
    refund: async (paymentId: string): Promise<void> => {
      const wanted = { paymentId, reason: null, destination: null, metadata: null }
      rightOf(await billing.refunds.request({ ...context(), merchantId }, wanted)())
    },
    isAnyPending: (): boolean => {
      const page = { merchantId, environment: 'testnet' as const, status: 'pending', limit: 1 }
      return services.readModels.refunds.page(page).rows.length > 0
    },
    close: (): void => {
      store.close()
      vaultDatabase.close()
      network.end()
    },
  }
}
