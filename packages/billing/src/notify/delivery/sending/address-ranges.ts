import ipaddr from 'ipaddr.js'

/** Ranges of private addresses that the operator allows deliveries to reach. */
export type AddressRanges = { readonly holds: (address: string) => boolean }

/** No addresses beside the public ones. */
export const noRanges: AddressRanges = { holds: () => false }

/**
 * Reads ranges such as `10.1.0.0/16,fd00:1::/64`, separated by commas; a bare address is a range of one. Null if any
 * part is malformed. A range of IPv4 addresses also holds their IPv4-mapped IPv6 forms.
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
