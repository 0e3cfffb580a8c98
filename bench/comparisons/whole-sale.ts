import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { openLastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { startVictim } from '@quittance/http/testing/kills/victim'
import { factsIn } from '@quittance/http/testing/service'
import { fundedWallet, type Wallet } from '@quittance/http/testing/wallet'
import type { Comparison } from '../comparing/comparison.ts'
import { processorMsOf } from '../comparing/processor-time.ts'
import { byCallers } from '../comparing/run.ts'
import { openAsking } from '../many-processes/asking.ts'

const payers = 64
const deliveredWithinMs = 60_000

/** A merchant's server in this process, which accepts all. */
const openReceiver = async () => {
  const waiting = new Map<string, () => void>()
  const server = createServer(async (request, response) => {
    const { data } = JSON.parse(await text(request))
    response.end()
    waiting.get(data.checkout_id)?.()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : ''}/`,
    /** Call it before the payment. Resolves when the payment of a checkout is said to be confirmed. */
    confirmed: (checkoutId: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${checkoutId} was not confirmed`)), deliveredWithinMs)
        waiting.set(checkoutId, () => {
          clearTimeout(late)
          waiting.delete(checkoutId)
          resolve()
        })
      }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const wholeSale: Comparison = {
  name: 'whole-sale',
  file: 'whole-sale.ts',
  measures: `Processor time of a service of \`npm start\`, of all its threads, for a sale: \`POST /checkout\`, the quote that the payer asks for, the payment found in a closed ledger, and the webhook \`payment.confirmed\` answered by the merchant. ${payers} payers buy at once. Payers, network and merchant are in another process; the network closes four ledgers a second, whose reading is counted too.`,
  unit: 'milliseconds of processor time per sale',
  ours: 'a sale',
  peer: null,
  packages: [],
  aim: { _tag: 'at most', figure: 1.5 },
  missedBecause:
    'a sale runs 100 statements in 6.3 transactions, and writes 430 kB in 195 calls: three commits of appends with the rows of their read models, and those that list, claim and end its delivery. Up to a third of the time is work that goes on without sales, since each of the four ledgers a second is read and every loop of the worker looks for what is due. The rest is spread thin over requests, decoding and read models. On one machine in one hour, a sale took 8.7 to 9.2 ms, and 10 to 11.4 before [decision 102](decisions/0102-a-commit-writes-less.md). On a slower one, where bare Fastify answered 18,000 requests a second instead of 42,000, it took 18 ms, before and after [decision 104](decisions/0104-sqlite-plans-and-reads-once.md). One commit for all steps of a delivery, loops that wait until something of theirs has changed, and fewer indexes would close some of it; a sixth of today’s time needs all of these and more.',
  open: async ({ folder, amount }) => {
    const network = await openLastingNetwork(folder, () => false)
    network.announce('service')
    const service = startVictim(folder, null, { QUITTANCE_PAYER_RATE_LIMIT: '1000000' })
    const url = await service.url
    if (url === null) throw new Error('the service ended before it was ready')
    const { api_key, pid } = factsIn(folder)
    const { insist } = openAsking(() => [url], api_key)
    const dataOf = async (...request: Parameters<typeof insist>) => {
      const { status, body } = await insist(...request)
      if (status !== 200) throw new Error(`${request[0]} was answered ${status} ${JSON.stringify(body)}`)
      return body.data
    }
    const receiver = await openReceiver()
    await dataOf('/webhooks', { body: { name: 'Bench', url: receiver.url, events: ['payment.confirmed'] } })
    const wallets = await Promise.all(Array.from({ length: payers }, () => fundedWallet(network.facts)))

    const sell = async (wallet: Wallet): Promise<void> => {
      const { id } = await dataOf('/checkout?type=direct', { body: { amount: 1, currency_code: 'XLM' } })
      const { destination, asset_id: assetId, memo } = await dataOf(`/pay/${id}/quote`)
      const confirmed = receiver.confirmed(id)
      const payment = await wallet.payment({ destination, assetId, amount: '1', memo })
      const submitted = network.sandbox.submit(payment.toXDR())
      if (submitted._tag === 'Left' || submitted.right.status !== 'PENDING') throw new Error('a payment was not taken')
      await confirmed
    }
    return {
      ours: async () => {
        const free = [...wallets]
        const sale = async (): Promise<void> => {
          const wallet = free.pop()
          if (wallet === undefined) throw new Error('there are as many payers as callers')
          await sell(wallet)
          free.push(wallet)
        }
        const sales = amount(640)
        const before = processorMsOf(pid)
        await byCallers(
          payers,
          Array.from({ length: sales }, () => sale),
        )
        return (processorMsOf(pid) - before) / sales
      },
      peer: null,
      close: async () => {
        service.signal('SIGKILL')
        await service.died
        receiver.close()
        await network.close()
      },
    }
  },
}
