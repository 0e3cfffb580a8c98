import { asText, unixMs } from '@quittance/domain'
import { hashOf } from '@quittance/domain/testing'
import { type Relay, relays as relaysIn } from './relays.ts'
import { openStoreDatabase, type StoreDatabase } from './testing/store-database.ts'

const relay = (n: number, maxTime = n): Relay => ({
  environment: 'testnet',
  transactionHash: hashOf(n),
  envelopeXdr: asText('AAAA'),
  maxTime: unixMs(maxTime),
})

describe('the list of relayed transactions', () => {
  let database: StoreDatabase
  beforeEach(async () => {
    database = await openStoreDatabase()
  })
  afterEach(() => database.close())

  it('holds each transaction once, in its environment, until it is removed', async () => {
    const relays = relaysIn(database.sql)
    for (const each of [relay(1), relay(1), relay(2)]) await relays.keep(each)
    expect([await relays.of('testnet'), await relays.of('mainnet')]).toEqual([[relay(1), relay(2)], []])
    await relays.remove(relay(1))
    expect(await relays.of('testnet')).toEqual([relay(2)])
  })

  it('returns at most a hundred transactions, the first to expire first', async () => {
    const relays = relaysIn(database.sql)
    for (let n = 1; n <= 101; n += 1) await relays.keep(relay(n, 1_000 - n))
    const given = await relays.of('testnet')
    expect([given.length, given[0], given.at(-1)]).toEqual([100, relay(101, 899), relay(2, 998)])
  })
})
