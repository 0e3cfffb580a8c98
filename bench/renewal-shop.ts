import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createBilling, createWorker, embedded, sqliteVault } from '@quittance/billing'
import {
  type AccountId,
  asText,
  CheckoutId,
  CurrencyCode,
  CustomerId,
  cents,
  count,
  hourMs,
  LedgerSequence,
  noMetadata,
  ProductId,
  positiveCount,
  Subscription,
  SubscriptionId,
  stroops,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { decoded, exampleId } from '@quittance/domain/testing'
import { noEvents } from '@quittance/event-store'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import {
  createCall,
  keyPairFromSeed,
  localSigner,
  type MandateTerms,
  mandateIdOf,
  prepareCall,
  signEnvelope,
  tokenContractOf,
} from '@quittance/ledger'
import { inlineProjections } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { operatorAccount } from '../packages/billing/src/settlement/keys.ts'
import { book } from '../packages/billing/src/testing/shop.ts'
import { settlementKey } from '../packages/billing/src/vault/vault-signer.ts'
import { durability, openNetwork, passphrase, rightOf } from './metered-network.ts'
import { recorded } from './sales.ts'

const dayMs = 24 * hourMs
const price = { currency: decoded(CurrencyCode, 'USD'), cents: cents(1_000n) }
const cycle = { interval: 'month' as const, intervalCount: positiveCount(1) }
/** So many subscriptions are written before others have their turn. */
const millis = 1_000

/**
 * A shop with so many subscriptions of 10 USDC a month, each of a wallet of its own, whose trials all end at the same
 * moment, and others whose trials go on, which nobody has a mandate for: nothing happens but on command.
 */
export const openRenewalShop = async (folder: string, due: number, idle: number, channels: number) => {
  const network = openNetwork(folder)
  const { sandbox, usdc } = network
  const { gateway, mandateContract } = network.network
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
  const contract = mandateContract
  const operator = own.signer.publicKey
  for (const key of [own.key, settlementKey('testnet', merchantId)])
    rightOf(await sandbox.provision(vault.withSeed(key, keyPairFromSeed).secret)())
  for (const { account } of made) rightOf(await sandbox.fund({ address: account })())
  const product = rightOf(await billing.products.create({ ...context(), merchantId }, book(usdc))())
  const newCustomer = async (number: number) => {
    const someone = { email: `p${number}@club.example`, name: null, phone: null, image: null, metadata: {} }
    const [made] = rightOf(await billing.customers.createAll({ ...context(), merchantId }, [someone])())
    return decoded(CustomerId, made?.id)
  }
  const step = async (): Promise<void> => rightOf((await worker?.step()) ?? E.left('there is no worker'))
  network.close()
  await step()

  const termsFor = (wallet: AccountId, number: number, firstChargeAt: UnixMs): MandateTerms => ({
    contract,
    customer: wallet,
    payee,
    operator,
    assetId: usdc,
    cap: stroops(110_000_000n),
    intervalUnit: 'month',
    intervalCount: 1,
    firstChargeAt,
    endsAt: null,
    firstAmount: stroops(0n),
    allowance: stroops(50_000_000_000n),
    allowanceExpiryLedger: decoded(LedgerSequence, 2_000_000),
    reference: exampleId(CheckoutId, number),
  })
  /** Writes a subscription down as if its checkout had just been completed. */
  const begin = async (
    terms: MandateTerms,
    number: number,
    startedAt: UnixMs,
    customerId: CustomerId,
  ): Promise<void> => {
    const { allowance, allowanceExpiryLedger, firstChargeAt, cap } = terms
    const command = {
      type: 'StartSubscription' as const,
      checkoutId: exampleId(CheckoutId, number),
      customerId,
      terms: { productId: decoded(ProductId, product.id), priceVersion: positiveCount(1), price, ...cycle },
      assetId: usdc,
      mandate: {
        mandateId: mandateIdOf(terms),
        ...{ contract, customer: terms.customer, payee, operator, token: tokenContractOf(usdc, passphrase), cap },
        ...cycle,
        firstChargeAt,
        approval: {
          ...{ allowance, allowanceExpiryLedger },
          ...{ expiresAt: unixMs(startedAt + 170 * dayMs), approvedAt: startedAt },
        },
      },
      trialDays: count((firstChargeAt - startedAt) / dayMs),
      firstPaymentId: null,
      metadata: noMetadata,
      startedAt,
    }
    const events = recorded(Subscription, [command], number, 1)
    const stream = `${Subscription.category}-${exampleId(SubscriptionId, number)}`
    const ours = events.map((event) => ({ ...event, context: { ...event.context, merchantId } }))
    rightOf(await store.append(stream, noEvents, ours)())
  }
  const seedOf = (number: number) => createHash('sha256').update(`wallet ${number}`).digest()
  const enrol = async (number: number, startedAt: UnixMs): Promise<void> => {
    const seed = seedOf(number)
    const { secret, accountId: wallet } = keyPairFromSeed(seed)
    rightOf(await sandbox.provision(secret)())
    rightOf(await sandbox.fund({ address: wallet, assetId: usdc })())
    const terms = termsFor(wallet, number, unixMs(startedAt + dayMs))
    const head = rightOf(await gateway.latestLedger()())
    const view = rightOf(await gateway.accountView(wallet, [])())
    const order = {
      sourceAccount: wallet,
      nextAccountSequence: (view?.accountSequence ?? 0n) + 1n,
      ledgerClosedAt: head.closedAt,
      lifetimeMs: 300_000,
      notAfter: null,
      fee: stroops(1_000n),
      networkPassphrase: passphrase,
    }
    const { envelopeXdr } = rightOf(await prepareCall(gateway)(order, createCall(terms, passphrase))())
    const signed = rightOf(await signEnvelope(envelopeXdr, [localSigner(seed)], passphrase)())
    rightOf(await gateway.submit(signed)())
    await begin(terms, number, startedAt, await newCustomer(number))
  }
  const startedAt = unixMs(network.now() - (network.now() % millis))
  for (let number = 1; number <= due; number++) await enrol(number, startedAt)
  network.close()
  const somebody = await newCustomer(0)
  const nobody = termsFor(payee, due, unixMs(startedAt + 300 * dayMs))
  for (let number = due + 1; number <= due + idle; number++) await begin(nobody, number, startedAt, somebody)
  await step()
  return {
    step,
    closeLedger: network.close,
    /** Lets the trials end: a few ledgers before, what announces that is through. */
    endTrials: async (): Promise<void> => {
      network.close(startedAt + dayMs - 60_000 - network.now())
      await step()
      network.close(startedAt + dayMs + millis - network.now())
    },
    networkMicros: network.micros,
    renewals: () => services.readModels.payments.all().map(({ row }) => row),
    held: async (): Promise<bigint> => {
      const [holding] = rightOf(await gateway.balances([{ account: payee, assetId: usdc }])())
      return holding?.held ?? 0n
    },
    close: (): void => {
      store.close()
      vaultDatabase.close()
      network.end()
    },
  }
}
