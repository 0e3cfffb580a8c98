import { mkdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openLastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { startVictim } from '@quittance/http/testing/kills/victim'
import { factsIn } from '@quittance/http/testing/service'
import { fundedWallet } from '@quittance/http/testing/wallet'
import { openAsking } from './many-processes/asking.ts'
import { openGate } from './many-processes/gate.ts'
import { openShop } from './many-processes/shop.ts'
import { openClub } from './many-processes/subscribers.ts'

const payers = 32
const sellingMs = 10_000
const members = 40
const dayMs = 24 * 60 * 60_000
const betweenLooksMs = 50
const renewedWithinMs = 120_000

type Rates = { readonly sales: number; readonly renewals: number }

/**
 * Whole sales and renewals per second of `processes` services of `npm start` on one data directory, with `settings` for its store. A
 * sale goes from the checkout to its completion, paid on the ledger by one of 32 payers; 40 subscriptions renew at once. Clients
 * and the network, which closes four ledgers a second, run in this process, on the same processors.
 */
export const salesOf = async (
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  processes: number,
): Promise<Rates> => {
  mkdirSync(dataDir, { recursive: true })
  const network = await openLastingNetwork(dataDir, () => false)
  const services: Array<ReturnType<typeof startVictim>> = []
  const urls: Array<string> = []
  const start = async (): Promise<void> => {
    network.announce('all')
    const service = startVictim(dataDir, null, { QUITTANCE_PAYER_RATE_LIMIT: '1000000', ...settings })
    services.push(service)
    const url = await service.url
    if (url === null) throw new Error('a service ended before it was ready')
    urls.push(url)
  }
  try {
    await start()
    const asking = openAsking(() => urls, factsIn(dataDir).api_key)
    while (urls.length < processes) await start()
    const wallets = await Promise.all(Array.from({ length: payers }, () => fundedWallet(network.facts)))
    // Nobody asks for a refund, and everybody pays without the page.
    const shop = openShop(asking, network, () => 0.99, wallets)
    const end = performance.now() + sellingMs
    await shop.work(() => performance.now() > end, openGate().pass)
    const sellingSeconds = (performance.now() - end + sellingMs) / 1_000

    const club = await openClub(asking, network)
    await Promise.all(Array.from({ length: members }, (_, number) => club.join(number)))
    /** Payments of subscriptions. They are the newest, so that the first page has them all. */
    const charges = async (): Promise<number> => {
      const { data } = (await asking.insist('/payments?limit=100&status=confirmed')).body.data
      return data.filter((payment: { readonly subscription_id: string | null }) => payment.subscription_id !== null)
        .length
    }
    const before = await charges()
    const began = performance.now()
    network.skip(dayMs + 60_000)
    while ((await charges()) < before + members) {
      if (performance.now() - began > renewedWithinMs) throw new Error('not all subscriptions were renewed')
      await pause(betweenLooksMs)
    }
    const wrong = [...asking.wrong, ...shop.wrong, ...club.wrong]
    if (wrong.length > 0) throw new Error(wrong.join('\n'))
    return {
      sales: shop.completed() / sellingSeconds,
      renewals: members / ((performance.now() - began) / 1_000),
    }
  } finally {
    for (const service of services) service.signal('SIGKILL')
    await Promise.all(services.map(({ died }) => died))
    await network.close()
  }
}
