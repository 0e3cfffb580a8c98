import { type AccountId, type AssetId, type MerchantId, type Stroops, stroops } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { keyPairFromSeed } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { publicSession } from '../features/paying/session.ts'
import type { CheckoutResource } from '../resources/checkout.ts'
import type { Network } from '../services/services.ts'
import { settlementKey } from '../stores/vault/vault-signer.ts'
import { startNetwork, type TestNetwork } from './network.ts'
import { done, present } from './outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from './platform.ts'
import { book, command, guest, openShop, options } from './shop.ts'
import { type Wallet, walletsOn } from './wallets.ts'

/** A network that sets no accounts up: the test creates the merchant's account. */
export const setsNothingUp = (network: Network): Network => ({
  ...network,
  provision: null,
  setUpBalance: stroops(0n),
})

/**
 * A shop on a network of its own, with a worker that steps on command, and two payers. `seenAs` changes what the
 * platform sees of the network; `wrapped` stands before its store.
 */
export const openStoreFront = async (
  node: Parameters<typeof startNetwork>[0] = {},
  seenAs: (network: Network) => Network = (network) => network,
  wrapped?: (store: EventStore) => EventStore,
) => {
  const started = await startNetwork(node)
  const network = { ...started, seen: () => seenAs(started.seen()) }
  const folder = temporaryFolder()
  const platform = await openPlatform(network, folder.path, wrapped)
  const merchantId = await openShop(platform)
  const wallets = walletsOn(network)
  const [payer, other] = [await wallets.wallet(1), await wallets.wallet(2)]
  const step = (): Promise<void> => done(platform.worker.step)
  const site = { network, folder, platform, wallets, payer, other, step }
  return {
    ...(await shopOn(site, merchantId)),
    close: async () => {
      await platform.close()
      await network.close()
      folder.remove()
    },
  }
}

type Site = {
  readonly network: TestNetwork
  readonly folder: ReturnType<typeof temporaryFolder>
  readonly platform: TestPlatform
  readonly wallets: ReturnType<typeof walletsOn>
  readonly payer: Wallet
  readonly other: Wallet
  readonly step: () => Promise<void>
}

/** A merchant with an account, and what its customers do. */
export const shopOn = async (site: Site, merchantId: MerchantId) => {
  const { network, platform, payer, step } = site
  const { billing, services, worker } = platform
  const scope = { merchantId, environment: 'testnet' as const }
  const { account } = await done(services.settlementOf(merchantId, 'testnet'))

  const sell = async (
    assetId: AssetId = network.usdc.assetId,
    customer: { id: string | null; email: string | null; phone: string | null } = guest,
  ): Promise<CheckoutResource> => {
    const product = await done(billing.products.create(command(platform, merchantId), book(assetId)))
    return done(billing.checkouts.createForProduct(command(platform, merchantId), product.id, options(customer)))
  }
  /** The memo that payers of a session are asked for. */
  const memoOf = async (id: string): Promise<string> => (await done(() => publicSession(services, id))).reference
  /** Pays in one transaction, by the memo that a session asks for or by another, and lets the worker see it. */
  const pay = async (
    name: string | null,
    parts: ReadonlyArray<Stroops>,
    {
      asset = network.usdc.assetId,
      from = payer,
      to = account,
    }: { asset?: AssetId; from?: Wallet; to?: AccountId } = {},
  ) => {
    const session = await publicSession(services, name ?? '')
    const memo = E.isRight(session) ? session.right.reference : name
    const hash = from.pay({ to, asset, parts, memo })
    await step()
    return hash
  }
  const checkout = (id: string) => done(billing.checkouts.retrieve(scope, id))
  const payments = async (checkoutId: string) => {
    await platform.shown()
    const { resources } = await billing.payments.list({ ...scope, limit: 100 })()
    return resources.filter((each) => each.checkout_id === checkoutId)
  }
  const exceptions = async () =>
    (await (await platform.shown()).exceptions.all()).map(({ row: { details } }) => details)
  return {
    ...site,
    billing,
    services,
    worker,
    merchantId,
    scope,
    account,
    sell,
    memoOf,
    pay,
    checkout,
    payments,
    /** The secret of the account that the merchant is paid to. */
    seedOf: async (id: string) =>
      (await services.vault.carriage.withSeed(settlementKey('testnet', id), keyPairFromSeed)).secret,
    /** The only payment of a checkout. */
    payment: async (checkoutId: string) => {
      const [one, ...more] = await payments(checkoutId)
      if (more.length > 0) throw new Error(`${checkoutId} has ${more.length + 1} payments`)
      return present(one)
    },
    exceptions,
    /** The kinds and amounts of a checkout's exceptions, smallest first. */
    exceptionsOf: async (checkoutId: string | null) =>
      (await exceptions())
        .filter((each) => each.checkoutId === checkoutId)
        .map(({ kind, amount }) => ({ kind, amount }))
        .sort((one, other) => Number(one.amount - other.amount)),
  }
}

/** Another merchant on the same platform and network, who closes nothing. */
export const openNextDoor = async (front: StoreFront): Promise<StoreFront> => ({
  ...(await shopOn(front, await openShop(front.platform))),
  close: async () => undefined,
})

export type StoreFront = Awaited<ReturnType<typeof openStoreFront>>
