import { hourMs, LedgerSequence, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import type { SettlementTrouble } from '../features/outgoing/trouble.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { openPlatform } from '../testing/platform.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { watchForReset } from './reset-watch.ts'

describe('a network that was reset', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
    for (let ledgers = 0; ledgers < 10; ledgers++) shop.network.wait(5_000)
    await shop.step()
  })
  afterEach(() => shop.close())
  const cursor = async () => present(await done(shop.services.cursors.of('testnet').load()))
  const standing = () => done(shop.billing.networkResets.standing('testnet'))
  const troubles = () => shop.worker.troubles().map(({ _tag }) => _tag)
  const submitted = () => refused(present(shop.services.networks.testnet).gateway.submit('AAAA'))

  it('is recorded once when its newest ledger is lower and closed later; nothing is sent or ingested', async () => {
    const { id } = await shop.sell()
    const before = await cursor()
    const { events } = await shop.platform.logEnd()
    shop.network.startAnew()
    for (let steps = 0; steps < 3; steps++)
      expect(await refused(shop.worker.step)).toMatchObject({ _tag: 'LedgerWentBack' })
    const { found, underWay } = await standing()
    const ingested = { ledger: before.sequence, closedAt: before.closedAt }
    expect(found).toMatchObject({ evidence: 'ledger_went_back', ingested, found: { ledger: expect.any(Number) } })
    expect(underWay).toBeNull()
    expect(troubles()).toEqual(['NetworkReset'])
    expect(await cursor()).toEqual(before)
    expect((await shop.platform.logEnd()).events).toBe(events + 1)
    expect(await submitted()).toEqual({ _tag: 'Withheld', cause: 'network_reset' })
    expect((await shop.checkout(id)).status).toBe('open')
  })

  it('stops every process', async () => {
    const second = await openPlatform(shop.network, shop.folder.path)
    shop.network.startAnew()
    await refused(shop.worker.step)
    const { gateway, provision } = present(second.services.networks.testnet)
    expect(await refused(gateway.submit('AAAA'))).toEqual({ _tag: 'Withheld', cause: 'network_reset' })
    expect(await refused(present(provision)('S'))).toEqual({ _tag: 'ProvisionFailed', reason: 'network_reset' })
    const none = await second.billing.networkResets.ensureNone('testnet')()
    expect(none).toEqual(E.left({ _tag: 'NetworkWasReset', environment: 'testnet' }))
    expect(await second.billing.networkResets.ensureNone('mainnet')()).toEqual(E.right(undefined))
    await second.close()
  })

  it('is found by the hash of the last ingested ledger once it has grown past that', async () => {
    const { sequence } = await cursor()
    shop.network.startAnew()
    while (shop.network.sandbox.clock().ledger < sequence + 3) shop.network.wait(5_000)
    expect(await refused(shop.worker.step)).toMatchObject({ _tag: 'ChainBroken' })
    expect((await standing()).found).toMatchObject({ evidence: 'other_hash', found: { ledger: sequence } })
  })

  it('is not confused with a node that is late', async () => {
    shop.network.sandbox.faults.set({ lag: { ledgers: 25 } })
    for (let ledgers = 0; ledgers < 4; ledgers++) shop.network.wait(5_000)
    await shop.worker.step()
    shop.network.sandbox.faults.set({ lag: { ledgers: 30 } })
    await shop.worker.step()
    expect((await standing()).found).toBeNull()
  })

  it('is taken back once the ingested history goes on', async () => {
    const before = await cursor()
    const earlier = unixMs(before.closedAt - hourMs)
    await shop.services.cursors.move('testnet', { ...before, closedAt: earlier, hash: 'f'.repeat(64) })
    shop.network.wait(5_000)
    await refused(shop.worker.step)
    expect((await standing()).found).toMatchObject({ evidence: 'other_hash' })
    await shop.services.cursors.move('testnet', before)
    await shop.step()
    expect((await standing()).found).toBeNull()
    const { id } = await shop.sell()
    await shop.pay(id, [units(100)])
    expect((await shop.checkout(id)).status).toBe('completed')
  })

  it('is not confused with the true ledger behind one that a node had forged', async () => {
    await shop.services.cursors.move('testnet', { ...(await cursor()), hash: 'f'.repeat(64) })
    shop.network.wait(5_000)
    expect(await refused(shop.worker.step)).toMatchObject({ _tag: 'ChainBroken' })
    expect((await standing()).found).toBeNull()
  })

  it('on the mainnet is an alarm of its own', async () => {
    const { services, network } = shop
    const raised: Array<SettlementTrouble> = []
    const latest = { sequence: decoded(LedgerSequence, 9), closedAt: network.now() }
    const cursorThere = { sequence: decoded(LedgerSequence, 90), closedAt: latest.closedAt }
    await services.cursors.move('mainnet', { ...cursorThere, closedAt: (await cursor()).closedAt, hash: null })
    network.wait(5_000)
    const halted = {
      _tag: 'LedgerWentBack' as const,
      cursor: cursorThere,
      latest: { ...latest, closedAt: network.now() },
    }
    expect(await watchForReset(services, network.gateway, 'mainnet', halted, (each) => raised.push(each))).toEqual(
      E.right(true),
    )
    expect(raised).toEqual([{ _tag: 'LedgerReplaced' }])
    expect((await standing()).found).toBeNull()
  })
})
