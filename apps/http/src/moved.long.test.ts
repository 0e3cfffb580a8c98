import { type Peer, startPeer } from '@quittance/event-store/testing/peer'
import { movingPlatform } from './testing/moving-platform.ts'

describe('a platform that moves to a remote log, and back', () => {
  const platform = movingPlatform()
  let peer: Peer
  beforeAll(async () => {
    peer = await startPeer({ path: ':memory:', port: 0 })
  })
  afterAll(async () => {
    await platform.remove()
    await peer.stop()
  })

  it('a moved platform keeps access, lists, idempotent answers, customers and open checkouts, and notices the next payment', () => {
    const address = peer.connectionString
    const settings = { QUITTANCE_EVENT_STORE: address }
    return platform.sellsIn([
      { name: 'eventstoredb', address, settings, beside: 'at_first_start' },
      { name: 'sqlite', address: null, settings: {}, beside: 'at_first_start' },
    ])
  })
})
