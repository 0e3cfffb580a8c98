import { promises as dns } from 'node:dns'
import type { LookupFunction } from 'node:net'

export type Lookup = {
  readonly lookup: LookupFunction
  /** Cancels open queries. */
  readonly cancel: () => void
}

const answerWithinMs = 3_000

/**
 * Asks the machine's DNS servers (`servers`: others, as `address:port`), not the operating system's resolver: that runs
 * on a few threads, which a handful of unanswered names would block. Names in the hosts file are not found.
 */
export const dnsLookup = (servers?: ReadonlyArray<string>): Lookup => {
  const resolver = new dns.Resolver({ timeout: answerWithinMs, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const addresses = async (hostname: string) => {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const families = [4, 6] as const
    return families.flatMap((family, n) => {
      const answer = found[n]
      return answer?.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
    })
  }
  const lookup: LookupFunction = (hostname, _, callback) => {
    addresses(hostname).then(
      (all) =>
        all.length > 0
          ? callback(null, all)
          : callback(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }), ''),
      (cause: Error) => callback(cause, ''),
    )
  }
  return { lookup, cancel: () => resolver.cancel() }
}

/** Resolves names of this machine without DNS. */
export const loopbackLookup: LookupFunction = (_, __, callback) =>
  callback(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
