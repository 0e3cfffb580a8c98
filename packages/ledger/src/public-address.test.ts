import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import fc from 'fast-check'
import { guardedLookup, isPublicAddress } from './public-address.ts'

describe('an address', () => {
  it.each(['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
  it.each([
    ['this machine', '127.0.0.1'],
    ['this machine, anywhere in its range', '127.255.0.1'],
    ['this machine', '::1'],
    ['this machine in IPv6 clothes', '::ffff:127.0.0.1'],
    ['this machine in older IPv6 clothes', '::127.0.0.1'],
    ['this machine behind a translator', '64:ff9b::127.0.0.1'],
    ['this machine by 6to4', '2002:7f00:1::'],
    ['no address', '0.0.0.0'],
    ['no address', '::'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared by a carrier', '100.64.0.1'],
    ["link-local, a cloud's metadata", '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['unique-local', 'fd00:ec2::254'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['for documentation', '192.0.2.1'],
    ['for documentation', '2001:db8::1'],
    ['a tunnel', '2001::1'],
    ['a name', 'localhost'],
    ['nothing', ''],
  ])('is not public: %s (%s)', (_, address) => expect(isPublicAddress(address)).toBe(false))
  it('never makes the check throw, whatever the text', () =>
    fc.assert(fc.property(fc.string(), (text) => expect(typeof isPublicAddress(text)).toBe('boolean'))))
})

describe('a guarded look-up', () => {
  const answering =
    (...addresses: ReadonlyArray<LookupAddress>): LookupFunction =>
    (_, __, callback) =>
      callback(null, [...addresses])
  const looking = (resolve: LookupFunction, all: boolean) =>
    new Promise((answer) =>
      guardedLookup(resolve, isPublicAddress)('shop.example', { all }, (error, found, family) =>
        answer(error === null ? [found, family] : error.message),
      ),
    )
  const open = { address: '1.1.1.1', family: 4 }
  const hidden = { address: '10.0.0.1', family: 4 }

  it('returns public addresses, all of them or the first', async () => {
    expect(await looking(answering(open, open), true)).toEqual([[open, open], undefined])
    expect(await looking(answering(open, open), false)).toEqual(['1.1.1.1', 4])
  })
  it('fails where any address is not public, and where there is none', async () => {
    const refusal = 'shop.example is at no public address'
    expect(await looking(answering(open, hidden), true)).toBe(refusal)
    expect(await looking(answering(), true)).toBe(refusal)
    expect(await looking((_, __, callback) => callback(new Error('ENOTFOUND'), ''), true)).toBe('ENOTFOUND')
  })
})
