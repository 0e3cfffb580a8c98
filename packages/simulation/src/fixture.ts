import { createBilling, createWorker } from '@quittance/billing'
import { channelKey, payableReference } from '@quittance/billing/testing/internals'
import { done, present } from '@quittance/billing/testing/outcomes'
import { book, options } from '@quittance/billing/testing/shop'
import { type Wallet, walletsOn } from '@quittance/billing/testing/wallets'
import {
  type AccountId,
  asText,
  CheckoutId,
  type ContractId,
  LedgerSequence,
  MerchantId,
  ProductId,
  stroops,
} from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { SqlDatabase } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import { keyPairFromSeed } from '@quittance/ledger'
import { openNetwork } from './network.ts'
import { emptyVaultFile, type VaultFile } from './open-vault.ts'
import { idsFrom, servicesOpener } from './services.ts'

/** 2026-11-01T00:00:00Z. */
export const startOfShop = 1_793_491_200_000

const codes = ['USDC', 'XLM', 'EURC'] as const
export type Code = (typeof codes)[number]

/** A price of 1 USD in each asset, in stroops at the sandbox's rates. */
export const priceOf: Readonly<Record<Code, bigint>> = { USDC: 10_000_000n, XLM: 40_000_000n, EURC: 9_259_260n }

export type Neighbour = { readonly merchantId: MerchantId; readonly account: AccountId }

/**
 * The start of every run: a merchant who has sold a book for 1 USD once in each asset, and two wallets that hold each
 * asset. One of the channel accounts for refunds is on the ledger.
 */
export type Fixture = {
  readonly log: SqlDatabase
  readonly ledger: SqlDatabase
  readonly vault: SqlDatabase
  readonly vaultFile: VaultFile
  readonly startMs: number
  readonly merchantId: MerchantId
  readonly account: AccountId
  /** Plans of 1 USD in USDC, by id; without any, the merchant sells books. */
  readonly plans: ReadonlyArray<string>
  readonly products: ReadonlyArray<{ readonly id: string; readonly code: Code }>
  readonly wallets: ReadonlyArray<AccountId>
  /** Another merchant, who sells beside the first one; null where there is none. */
  readonly neighbour: Neighbour | null
  /** Addresses that the merchant has verified; without any, nothing is withdrawn. */
  readonly destinations: ReadonlyArray<string>
  /** A later version of the mandate contract, on the ledger and not configured; null where there is none. */
  readonly nextContract: ContractId | null
  /** Completed sessions. */
  readonly sold: ReadonlyArray<string>
  /** The first ledger of the run. */
  readonly readFrom: LedgerSequence
  readonly close: () => void
}

export const walletNumbers = [1, 2]

/** Builds the shop that all fixtures extend. */
export const buildShop = async (startMs: number) => {
  const [log, ledger, vault] = [1, 2, 3].map(() => openDatabase(':memory:', { durability: 'full' }))
  if (log === undefined || ledger === undefined || vault === undefined) throw new Error('unreachable')
  const network = openNetwork(ledger, startMs)
  const wallets: Array<Wallet> = []
  for (const number of walletNumbers) wallets.push(await walletsOn(network).wallet(number))
  const vaultFile = emptyVaultFile()
  const services = servicesOpener({ log, vault }, network, vaultFile, idsFrom(0))()
  const billing = createBilling(services)
  const newContext = () => {
    const commandId = services.freshId()
    const rest = { correlationId: commandId, causationId: null, actor: 'fixture', at: network.now() }
    return { environment: 'testnet' as const, commandId, ...rest }
  }
  const created = await done(billing.merchants.create(newContext(), asText('A Shop')))
  const merchantId = decoded(MerchantId, created.merchantId)
  const assetIds = { USDC: network.usdc.assetId, XLM: network.xlm.assetId, EURC: network.eurc.assetId }
  const products: Array<{ readonly id: string; readonly code: Code }> = []
  for (const code of codes) {
    const cheap = { ...book(assetIds[code]), price: { amount: '1', amountCents: null } }
    const { id } = await done(billing.products.create({ ...newContext(), merchantId }, cheap))
    products.push({ id: decoded(ProductId, id), code })
  }
  const { account } = await done(services.settlementOf(merchantId, 'testnet'))
  const sold: Array<string> = []
  for (const { id: productId, code } of products) {
    const context = { ...newContext(), merchantId }
    const { id } = await done(billing.checkouts.createForProduct(context, productId, options()))
    const sending = {
      to: account,
      asset: assetIds[code],
      parts: [stroops(priceOf[code])],
      memo: await payableReference(services, 'testnet', decoded(CheckoutId, id)),
    }
    present(wallets[sold.length % wallets.length]).pay(sending)
    sold.push(id)
  }
  await done(present(createWorker(services, 'testnet', () => undefined)).step)
  await done(
    network.sandbox.provision(
      (await services.vault.carriage.withSeed(channelKey('testnet', 1), keyPairFromSeed)).secret,
    ),
  )
  await network.wait(1000)
  const readFrom = decoded(LedgerSequence, network.sandbox.clock().ledger)
  const close = (): void => {
    for (const database of [log, ledger, vault]) database.close()
  }
  const accounts = wallets.map((wallet) => wallet.account)
  const fixture = {
    log,
    ledger,
    vault,
    vaultFile,
    startMs: network.now(),
    readFrom,
    close,
    merchantId,
    account,
    plans: [],
    neighbour: null,
    nextContract: null,
    destinations: [],
    products,
    sold,
  }
  return { fixture: { ...fixture, wallets: accounts }, network, services, billing, newContext }
}

export type Shop = Awaited<ReturnType<typeof buildShop>>

export const buildFixture = async (): Promise<Fixture> => (await buildShop(startOfShop)).fixture
