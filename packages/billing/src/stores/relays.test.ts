import { asText, unixMs } from '@quittance/domain'
import { hashOf } from '@quittance/domain/testing'
import { openDatabase } from '@quittance/event-store/sqlite'
import { type Relay, sqliteRelays } from './relays.ts'

const relay = (n: number, maxTime = n): Relay => ({
  environment: 'testnet',
  transactionHash: hashOf(n),
  envelopeXdr: asText('AAAA'),
  maxTime: unixMs(maxTime),
})

describe('the list of relayed transactions', () => {
  const open = () => sqliteRelays(openDatabase(':memory:', { durability: 'full' }))

  it('holds each transaction once, in its environment, until it is removed', () => {
    const relays = open()
    for (const each of [relay(1), relay(1), relay(2)]) relays.keep(each)
    expect([relays.of('testnet'), relays.of('mainnet')]).toEqual([[relay(1), relay(2)], []])
    relays.remove(relay(1))
    expect(relays.of('testnet')).toEqual([relay(2)])
  })

  it('returns at most a hundred transactions, the first to expire first', () => {
    const relays = open()
    for (let n = 1; n <= 101; n += 1) relays.keep(relay(n, 1_000 - n))
    const given = relays.of('testnet')
    expect([given.length, given[0], given.at(-1)]).toEqual([100, relay(101, 899), relay(2, 998)])
  })
})
