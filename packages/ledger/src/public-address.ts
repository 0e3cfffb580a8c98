import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The public range of IPv6; the rest is reserved, local to this machine, or wraps an IPv4 address. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address belongs to the public network, so that connecting to it reaches nothing of our own: no
 * loopback, private, link-local (a cloud's metadata), unique-local, multicast, shared or reserved address, nor one that
 * wraps such. False for text that is no address.
 */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST))
}

/** Thrown for a host at an address that is not allowed. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed'
  constructor(host: string) {
    super(`${host} is at no public address`)
  }
}

/**
 * Resolves names as `resolve` does, and fails where any of the addresses is not allowed. A connection made with it goes
 * to an address that was checked: the name is not resolved again in between.
 */
export const guardedLookup =
  (resolve: LookupFunction, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const addresses = typeof found === 'string' ? [] : found
      const [first] = addresses
      if (error !== null) return callback(error, '')
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new AddressNotAllowed(hostname), '')
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
