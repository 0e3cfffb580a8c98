import { isIP, isIPv6 } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/** The address in an entry of `X-Forwarded-For`, which some proxies write with a port. Null where there is none. */
export const addressIn = (entry: string): string | null => {
  const bracketed = /^\[([^[\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1]
  if (bracketed !== undefined) return isIPv6(bracketed) ? unzoned(bracketed) : null
  const bare = /^([^:]+):\d{1,5}$/.exec(entry)?.[1] ?? entry
  return isIP(bare) === 0 ? null : unzoned(bare)
}

const unzoned = (address: string): string => address.replace(/%.*$/, '')

/**
 * Whom a limit counts: the client's address, as the nearest trusted proxy tells it, or the /64 network around an IPv6
 * address. Where that proxy tells something else than an address, the proxy itself.
 */
export const clientOf = ({ ip, ips = [ip] }: Pick<FastifyRequest, 'ip' | 'ips'>): string => {
  // The socket of a client that has left has no address.
  const addresses = ips.map((entry) => addressIn(entry ?? ''))
  return normalizeIP(addresses.findLast((address) => address !== null) ?? '')
}
