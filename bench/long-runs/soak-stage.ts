import { once } from 'node:events'
import { createServer } from 'node:http'
import { openLastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { startVictim } from '@quittance/http/testing/kills/victim'
import { randomFrom } from '@quittance/http/testing/random'
import { factsIn } from '@quittance/http/testing/service'
import { fundedWallet } from '@quittance/http/testing/wallet'
import { startFailingReceiver } from '../failing-receiver.ts'
import { openAsking } from '../many-processes/asking.ts'
import { readBooksIn } from '../many-processes/books.ts'
import { openGate } from '../many-processes/gate.ts'
import { openShop } from '../many-processes/shop.ts'
import { openClub } from '../many-processes/subscribers.ts'
import { openTimes } from './answer-times.ts'
import { openHostile } from './hostile.ts'
import { openReaders } from './readers.ts'

const betweenLedgersMs = 1_000
const payers = 8
const refundShare = 0.05
const betweenQuestionsMs = 1_000
const failedDeliveries = 0.1

/** A receiver that never accepts anything. */
const openBrokenReceiver = async () => {
  const server = createServer(
    (request, response) => void request.resume().on('end', () => response.writeHead(500).end()),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : ''}/`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A service of `npm start` in its own process, and all who ask it, beside its network, in this one. */
export const openSoakStage = async (dataDir: string, seed: number) => {
  const network = await openLastingNetwork(dataDir, () => false, betweenLedgersMs)
  network.announce('service')
  const settings = { QUITTANCE_PAYER_RATE_LIMIT: '1000000', NODE_OPTIONS: '--max-semi-space-size=4' }
  const service = startVictim(dataDir, null, settings)
  const url = await service.url
  if (url === null) throw new Error('the service ended before it was ready')
  const { api_key: apiKey, pid, metrics_url: metricsUrl } = factsIn(dataDir)
  const times = openTimes()
  const asking = openAsking(() => [url], apiKey, times.add)

  const receiver = await startFailingReceiver(randomFrom(seed + 1), failedDeliveries)
  const till = await startFailingReceiver(randomFrom(seed + 2), 0)
  const broken = await openBrokenReceiver()
  const hook = async (name: string, to: string, events: ReadonlyArray<string>): Promise<string> =>
    (await asking.insist('/webhooks', { body: { name, url: to, events } })).body.data.secret
  receiver.verifyWith(await hook('All', receiver.url, ['*']))
  till.verifyWith(await hook('Till', till.url, ['payment.pending', 'payment.confirmed']))
  await hook('Broken', broken.url, ['refund.succeeded'])

  const club = await openClub(asking, network)
  const wallets = []
  for (let n = 0; n < payers; n += 1) wallets.push(await fundedWallet(network.facts))
  const shop = openShop(asking, network, randomFrom(seed + 3), wallets, { refundShare, betweenQuestionsMs })
  const readers = await openReaders(asking, shop, () => club.members, randomFrom(seed + 4))
  return {
    ...{ dataDir, url, pid, metricsUrl, network, asking, times, receiver, till, club, shop, readers },
    gate: openGate(),
    hostile: openHostile(url, apiKey),
    books: () => readBooksIn(dataDir),
    settings: { QUITTANCE_DATA_DIR: dataDir },
    /** Ends the service; its network and receivers are still there. */
    endService: async (): Promise<void> => {
      service.signal('SIGKILL')
      await service.died
    },
    close: async (): Promise<void> => {
      service.signal('SIGKILL')
      for (const each of [receiver, till, broken]) each.stop()
      await network.close()
    },
  }
}

export type SoakStage = Awaited<ReturnType<typeof openSoakStage>>
