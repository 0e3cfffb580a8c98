import ipaddr from 'ipaddr.js'

/** Ranges of addresses that an operator lets deliveries reach beside the public ones. */
export type AddressRanges = { readonly holds: (address: string) => boolean }

export const noRanges: AddressRanges = { holds: () => false }

/**
 * Reads ranges such as `10.1.0.0/16,fd00:1::/64`, separated by commas; a bare address is a range of one. Null where any
 * of it is none. An IPv4 address in IPv6 clothes is held where the IPv4 address is.
 */
export const addressRanges = (text: string): AddressRanges | null => {
  const ranges = text.split(',').map((each) => rangeIn(each.trim()))
  if (!ranges.every((range) => range !== null)) return null
  return {
    holds: (address) => {
      if (!ipaddr.isValid(address)) return false
      const asked = ipaddr.process(address)
      return ranges.some(([start, bits]) => asked.kind() === start.kind() && asked.match(start, bits))
    },
  }
}

type Range = readonly [start: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

const rangeIn = (text: string): Range | null => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  if (!isWhole) return null
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
