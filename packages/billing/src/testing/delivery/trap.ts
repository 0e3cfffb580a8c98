import type { RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { domainTls } from '@quittance/ledger/testing/domain'
import { addressRanges } from '../../notify/delivery/sending/address-ranges.ts'
import { dnsLookup } from '../../notify/delivery/sending/resolve.ts'
import { type SenderOptions, sender } from '../../notify/delivery/sending/sender.ts'
import { startDns, type Zone } from './dns-trap.ts'

/** What stands for the public network on this machine, and where nothing may be asked for. */
export const [outside, inside] = ['127.0.0.2', '127.0.0.1']

const listening = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((done, failed) => {
    server.once('error', failed)
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('no port')
      done(address.port)
    })
  })

/**
 * `shop.example` on a port of the address that is allowed, and on the same port of the forbidden ones a trap that
 * counts who connects. `others`: more names. `handler`: what the shop's server does; `raw`: what it does to a socket
 * instead.
 */
export const startTrap = async (handler: RequestListener, others: Zone = {}, given: Partial<SenderOptions> = {}) => {
  const shop = createHttpsServer(domainTls, handler)
  const port = await listening(shop, outside, 0)
  const caught: Array<Socket> = []
  const traps = [inside, '::1'].map((host) => ({ host, server: createServer((socket) => caught.push(socket)) }))
  // Not every machine has IPv6.
  for (const { host, server } of traps) await listening(server, host, port).catch(() => null)
  const dns = await startDns({ 'shop.example': () => [outside], ...others })
  const allowed = addressRanges(`${outside}/32`)
  if (allowed === null) throw new Error('no ranges')
  const names = dnsLookup([dns.server])
  const posting = sender({ names, authority: domainTls.cert, allowed, ...given })
  const post = (url: string, mayBeLoopback = false) =>
    posting.post({ url: url.replace('PORT', `${port}`), headers: {}, body: '{}', mayBeLoopback })()
  return {
    port,
    post,
    /** How many connections the forbidden addresses have seen. */
    caught: () => caught.length,
    stop: async () => {
      await posting.close()
      shop.closeAllConnections()
      for (const socket of caught) socket.destroy()
      for (const server of [shop, ...traps.map(({ server }) => server)])
        await new Promise<void>((closed) => server.close(() => closed()))
      await dns.stop()
    },
  }
}
