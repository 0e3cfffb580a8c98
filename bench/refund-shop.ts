import { createWorker } from '@quittance/billing'
import { done, right } from '@quittance/billing/testing/outcomes'
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
import { Keypair } from '@stellar/stellar-sdk'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { openNetwork } from './metered-network.ts'
import { openMeteredServices } from './metered-services.ts'
import { recorded } from './sales.ts'

/** In stroops; ten thousand such payments stay below friendbot's grant. */
const leastAmount = 4_000_000n
/** A payment without a session, as far as a refund reads it; no two have the same amount. */
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
 * A shop with confirmed payments to refund, the money for them, channels, and workers. Everything happens on command;
 * ledger and log are files in a folder.
 */
export const openRefundShop = async (folder: string, payments: number, channels: number, workers = 1) => {
  const network = openNetwork(folder)
  const { sandbox } = network
  const { store, services, billing, newContext, close } = openMeteredServices(folder, network)
  const steps = Array.from({ length: workers }, () => {
    const worker = createWorker(services, 'testnet', (halted) => {
      throw new Error(JSON.stringify(halted))
    })
    return worker?.step ?? TE.left('there is no worker')
  })
  const { merchantId } = await done(billing.merchants.create(newContext(), asText('A shop')))
  const { account } = await done(billing.settlement(merchantId, 'testnet'))
  const payer = decoded(AccountId, Keypair.random().publicKey())
  const made = await done(billing.channels.create('testnet', channels))
  for (const address of [account, payer, ...made.map((channel) => channel.account)])
    await done(sandbox.fund({ address }))
  /** All workers step once, concurrently. */
  const step = async (): Promise<void> => {
    for (const stepped of await Promise.all(steps.map((each) => each()))) right<unknown>(stepped)
  }
  await step()
  const ids: Array<string> = []
  for (let n = 0; n < payments; n++) {
    const { id, events } = paymentOf(n, merchantId, payer)
    await done(store.append(`${Payment.category}-${id}`, noEvents, events))
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
    /** The network's processor time, in microseconds. */
    networkMicros: network.micros,
    refund: async (paymentId: string): Promise<void> => {
      const wanted = { paymentId, reason: null, destination: null, metadata: null }
      await done(billing.refunds.request({ ...newContext(), merchantId }, wanted))
    },
    isAnyPending: async (): Promise<boolean> => {
      const page = { merchantId, environment: 'testnet' as const, status: 'pending', limit: 1 }
      return (await services.readModels.refunds.page(page)).rows.length > 0
    },
    close: (): void => {
      close()
      network.end()
    },
  }
}
