import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createBilling, createWorker, embedded, masterKeyFile, runWorker, sqliteVault } from '@quittance/billing'
import { type AccountId, unixMs } from '@quittance/domain'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { openCatalogue } from './catalogue.ts'
import { lentWallet } from './lent-wallet.ts'
import { hearEvents, listenToEvents } from './listen.ts'
import { openNetwork } from './network.ts'
import { openOrders } from './orders.ts'
import { decoded, done, Refused } from './results.ts'

/** `wallClock`: Unix milliseconds. `isTicking`: whether the network closes a ledger each second, as real ones do. */
export type ShopOptions = {
  readonly directory: string
  readonly publicUrl: string
  readonly wallClock: () => number
  readonly isTicking: boolean
}

/** Opens the shop with everything that it needs, and goes on with what was under way when it closed or died. */
export const openShop = async ({ directory, publicUrl, wallClock, isTicking }: ShopOptions) => {
  mkdirSync(directory, { recursive: true })
  const { sandbox, network, close: closeNetwork } = await openNetwork(directory, wallClock)
  const now = () => unixMs(Math.floor(sandbox.clock().now))
  const store = sqliteEventStore({ path: join(directory, 'quittance.db'), clock: now, projections: inlineProjections })
  const vaultFile = openDatabase(join(directory, 'vault.db'), { durability: 'full', secureDelete: true })
  // In production, keep the master key away from the vault: it opens every other key.
  const masterKey = decoded(masterKeyFile(join(directory, 'master.key')))
  const vault = sqliteVault(vaultFile, masterKey, store.logHead().position === 0)
  const services = embedded(store, {
    vault,
    clock: { now },
    networks: { testnet: network, mainnet: null },
    publicUrl: () => publicUrl,
  })
  const billing = createBilling(services)
  const worker = createWorker(services, 'testnet', (halted) => console.error('the ledger cannot be followed', halted))
  if (worker === null) throw new Error('there is no testnet')

  if (isTicking) sandbox.start()
  const orders = openOrders(join(directory, 'shop.db'), now)
  const { scope, command, productIds } = await openCatalogue(billing, orders)
  const hear = hearEvents(billing, scope, orders)

  const stop = new AbortController()
  const running = Promise.all([
    runWorker(worker, stop.signal, (report) => console.error('worker', report)),
    listenToEvents(hear, stop.signal),
  ])

  return {
    /** Sells to a customer; `payAt` is where they pay. The same id is the same order. */
    order: async (id: string, sku: 'book' | 'club', email: string) => {
      if (orders.find(id) === null) orders.add(id, sku)
      const options = {
        customer: { id: null, email, phone: null },
        redirectUrl: null,
        description: null,
        metadata: { order: id },
      }
      const create = billing.checkouts.createForProduct(command(`order ${id}`), productIds[sku], options)
      const checkout = await done(create)
      orders.setCheckout(id, checkout.id)
      return { id, payAt: checkout.payment_url }
    },
    find: orders.find,
    /** Whether the customer of an order may have what was ordered, at this moment. */
    hasAccess: async (id: string): Promise<boolean> => {
      const order = orders.find(id)
      if (order === null || order.customer === null) return false
      return (await done(billing.access(scope, order.customer, productIds[order.sku]))).has_access
    },
    /** Ends a subscription with the period that is paid. */
    cancel: async (id: string) => {
      const subscription = orders.subscriptionOf(id)
      if (subscription === null) throw new Refused({ _tag: 'SubscriptionNotFound' })
      const cancel = billing.subscriptions.cancel(command(`cancel ${id}`), subscription, 'period_end')
      const { current_period_end } = await done(cancel)
      return { endsAt: current_period_end }
    },
    /** What to pay for a checkout, where and with which memo. `sep7_uri` opens a wallet. */
    quote: (checkoutId: string) => done(billing.payer.quote(checkoutId)),
    /** A transaction for the customer's wallet to sign: a payment, or what allows a subscription's charges. */
    unsigned: (checkoutId: string, account: AccountId) => done(billing.payer.transaction(checkoutId, account)),
    submit: (checkoutId: string, signed: string) => done(billing.payer.submit(checkoutId, signed)),
    payFromLentWallet: lentWallet(sandbox, billing),
    /** Moves the clock of the sandbox, and does on the way all that falls due. */
    advance: async (seconds: number) => {
      const settle = async () => {
        await worker.step()
        await hear()
      }
      const { now } = await done(sandbox.advance({ seconds, settle, nextDue: worker.nextDue }))
      return { now: new Date(now).toISOString() }
    },
    /** Lets what is under way end, then closes the files. */
    close: async (): Promise<void> => {
      stop.abort()
      await running
      orders.close()
      store.close()
      vaultFile.close()
      await closeNetwork()
    },
  }
}
export type Shop = Awaited<ReturnType<typeof openShop>>
