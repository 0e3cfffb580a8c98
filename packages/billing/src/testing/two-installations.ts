import { join } from 'node:path'
import { asText, LedgerSequence, type MerchantId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { reconcile } from '../books/reconciliation/reconcile.ts'
import type { Network } from '../services/services.ts'
import { type Club, clubIn } from './club.ts'
import { startNetwork, type TestNetwork } from './network.ts'
import { done, refused } from './outcomes.ts'
import { openPlatform, temporaryFolder } from './platform.ts'
import { command, openShop } from './shop.ts'
import { shopOn } from './store-front.ts'
import { walletsOn } from './wallets.ts'

/** An installation on a network that others are on too, whose process can be started again. `seenAs`: how it sees the network. */
export const installationOn = async (network: TestNetwork, seenAs: (network: Network) => Network = (same) => same) => {
  const folder = temporaryFolder()
  const seen = { ...network, seen: () => seenAs(network.seen()) }
  let platform = await openPlatform(seen, folder.path)
  const wallets = walletsOn(network)
  const [payer, other] = [await wallets.wallet(1), await wallets.wallet(2)]
  return {
    folder,
    now: () => platform,
    /** `meanwhile` has the files alone. */
    restart: async (meanwhile: () => void = () => undefined): Promise<void> => {
      await platform.close()
      meanwhile()
      platform = await openPlatform(seen, folder.path)
    },
    /** What a merchant and its customers do here, with the present process. */
    club: async (merchantId: MerchantId): Promise<Club> => {
      const site = { network: seen, folder, platform, wallets, payer, other, step: () => done(platform.worker.step) }
      return clubIn({ ...(await shopOn(site, merchantId)), close: async () => undefined })
    },
    path: (name: string) => join(folder.path, name),
    close: async () => {
      await platform.close()
      folder.remove()
    },
  }
}
export type Installation = Awaited<ReturnType<typeof installationOn>>

const [by, reason] = [asText('Ada'), asText('another operator')]

/** The network begins anew, and an installation with it. */
export const resetFor = async (network: TestNetwork, { now }: Installation): Promise<void> => {
  network.startAnew()
  await refused(now().worker.step)
  await done(now().billing.networkResets.reset('testnet', { by, reason, isForced: false }))
}

/**
 * Two installations on one network, and a merchant of the first that leaves for the second. `seenBySource`: what the first sees
 * otherwise; `isDestinationReset`: the network was reset before the first began.
 */
export const openTwoInstallations = async (seenBySource: Partial<Network> = {}, isDestinationReset = false) => {
  const started = await startNetwork()
  const network = { ...started, seen: () => ({ ...started.seen(), isInBackups: false }) }
  const destination = await installationOn(network)
  // Both serve somebody else all along.
  await openShop(destination.now())
  if (isDestinationReset) await resetFor(network, destination)
  const source = await installationOn(network, (seen) => ({ ...seen, ...seenBySource }))
  await openShop(source.now())
  const merchantId = await openShop(source.now())

  const freezing = { scope: 'everything' as const, merchantId, by, reason }
  const ledgers = async (count = 6): Promise<void> => {
    for (let passed = 0; passed < count; passed++) {
      // After a start, nothing is sent for the two minutes that a lost transaction would live.
      network.wait(30_000)
      for (const each of [source, destination]) await done(each.now().worker.step)
    }
  }
  const exported = async (file = 'merchant.export', given?: string) => {
    const to = given ?? (await destination.now().billing.leaving.destination())
    return source.now().billing.leaving.leave({ merchantId, to, path: source.path(file), by, reason })()
  }
  const imported = (file = 'merchant.export') =>
    destination.now().billing.leaving.arrive({ path: source.path(file), digest: null, by })
  const whole = { from: decoded(LedgerSequence, 1), to: null, merchantId: null }
  return {
    network,
    source,
    destination,
    merchantId,
    by,
    reason,
    freezing,
    ledgers,
    exported,
    imported,
    scope: { merchantId, environment: 'testnet' as const },
    /** Ends the merchant at the source, and starts both again. */
    move: async (file?: string) => {
      const left = await done(exported(file))
      await source.restart()
      await done(imported(file))
      await destination.restart()
      return left
    },
    /** Gives the accounts keys that only the destination has. */
    rotate: async () => {
      const { accountKeys } = destination.now().billing
      await done(accountKeys.rotate('testnet', { _tag: 'settlement', merchantId }))
      await done(accountKeys.rotate('testnet', { _tag: 'operator', merchantId }))
      await ledgers(10)
    },
    /** Makes an operator account of the merchant's own, which charges its new mandates. */
    ownOperator: async () => {
      const { operator } = source.now().billing
      const { account } = await done(operator.create('testnet', merchantId))
      await done(operator.adopt(command(source.now(), merchantId), 'own'))
      return account
    },
    eventsAbout: async ({ now }: Installation) => {
      const all = []
      for await (const event of now().log.readAll(0n)) if (event.metadata.merchantId === merchantId) all.push(event)
      return all
    },
    reconciled: ({ now }: Installation) => done(reconcile(now().services, 'testnet', whole)),
    close: async () => {
      await source.close()
      await destination.close()
      await network.close()
    },
  }
}

export type TwoInstallations = Awaited<ReturnType<typeof openTwoInstallations>>
