import { hourMs, LedgerIngestion, unixMs } from '@quittance/domain'
import type { Balance } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { fold } from '../kernel/fold.ts'
import type { Network } from '../services/services.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

const dayMs = 24 * hourMs

describe('an upgrade of the protocol', () => {
  let front: StoreFront
  let seenAs: (network: Network) => Network = (network) => network
  beforeEach(async () => {
    seenAs = (network) => network
    front = await openStoreFront({}, (network) => seenAs(network))
  })
  afterEach(() => front.close())

  const protocol = (knob: { current?: number; prepared?: number; unreadable?: boolean; unreadable_of?: string }) => {
    front.network.sandbox.faults.set({ protocol: knob })
    front.network.wait(2 * hourMs)
  }
  const following = async () => {
    const { events } = await done(front.platform.log.readStream(`${LedgerIngestion.category}-testnet`))
    return fold(LedgerIngestion, events)
  }
  /** A payment between two strangers. */
  const strangersPay = (): void => {
    front.other.pay({ to: front.payer.account, asset: front.network.usdc.assetId, parts: [units(1)], memo: null })
  }
  const passLedgers = async (count: number): Promise<void> => {
    for (let ledgers = 0; ledgers < count; ledgers++) {
      front.network.wait(5_000)
      await front.step()
    }
  }
  const troubles = () => front.worker.troubles().filter(({ _tag }) => _tag !== 'CannotKeepContract')

  it('is told beforehand, stops what cannot be read, and loses nothing once a release reads it', async () => {
    await front.step()
    expect(front.worker.protocol()).toMatchObject({ current: 27, readable: 27, prepared: null, unread: null })
    expect(troubles()).toEqual([])

    // Beforehand: a node can run it.
    protocol({ prepared: 28 })
    await front.step()
    expect(troubles()).toEqual([{ _tag: 'ProtocolComing', protocol: 28, readable: 27, daysLeft: null }])

    // The network moves. What holds nothing new is read as ever.
    protocol({ current: 28, prepared: 28 })
    await front.step()
    expect(troubles()).toEqual([{ _tag: 'ProtocolUnknown', protocol: 28, readable: 27 }])
    const first = await front.sell()
    await front.pay(first.id, [units(10)])
    expect(await front.checkout(first.id)).toMatchObject({ status: 'completed' })

    // Ledgers that nobody here can decode, and that hold nothing of ours.
    const second = await front.sell()
    const memo = await front.memoOf(second.id)
    protocol({ current: 28, prepared: 28, unreadable: true })
    await front.step()
    strangersPay()
    await passLedgers(2)
    const passed = await following()
    expect(passed.passedOver).toMatchObject([{ protocol: 28, cause: expect.stringMatching(/./) }])
    expect(passed.compared).toMatchObject({ comparison: { differing: 0 } })
    expect(front.worker.halted()).toBeNull()

    // One that holds a payment to us.
    const before = front.network.now()
    front.payer.pay({ to: front.account, asset: front.network.usdc.assetId, parts: [units(10)], memo })
    expect(await refused(front.worker.step)).toMatchObject({
      _tag: 'LedgerUnreadable',
      protocol: 28,
      cause: expect.stringContaining(front.account),
    })
    await refused(front.worker.step)
    const halted = present(front.worker.halted())
    const { unread } = present(front.worker.protocol())
    expect(unread).toMatchObject({ cause: expect.stringContaining('it holds something of') })
    expect(present(unread?.keptUntil)).toBeGreaterThan(before)
    expect(troubles()).toContainEqual(expect.objectContaining({ _tag: 'LedgersUnread', ledger: unread?.ledger }))
    expect(front.platform.alarms.at(-1)).toEqual(halted)
    front.payer.pay({ to: front.account, asset: front.network.usdc.assetId, parts: [units(3)], memo: null })
    await refused(front.worker.step)
    expect((await following()).passedOver).toHaveLength(1)
    expect(await front.checkout(second.id)).toMatchObject({ status: 'open' })

    // A release that reads it.
    protocol({ current: 28, prepared: 28 })
    await passLedgers(3)
    expect(front.worker.halted()).toBeNull()
    expect(await front.checkout(second.id)).toMatchObject({ status: 'completed' })
    expect((await front.exceptions()).map(({ amount }) => amount)).toEqual([units(3)])
    expect(troubles()).toEqual([{ _tag: 'ProtocolUnknown', protocol: 28, readable: 27 }])
    expect(front.worker.protocol()).toMatchObject({ unread: null })
    const books = await done(front.billing.following.compare('testnet'))
    expect(books.comparison).toMatchObject({ differing: 0 })
  })

  it('passes over transactions of strangers alone, and books the payments beside them', async () => {
    await front.step()
    const session = await front.sell()
    const memo = await front.memoOf(session.id)
    const { payer, other, account } = front
    const asset = front.network.usdc.assetId
    const pays = (from: typeof payer, to: typeof account, amount: number, text: string | null): string =>
      from.signedPayment({ to, asset, parts: [units(amount)], memo: text }, 0)
    /** In one ledger, of which what the other wallet has changed cannot be decoded. */
    const inOneLedger = (...envelopes: ReadonlyArray<string>): void => {
      for (const envelope of envelopes)
        expect(front.network.sandbox.submit(envelope)).toMatchObject({ right: { status: 'PENDING' } })
      front.network.sandbox.close()
    }
    protocol({ current: 28, unreadable: true, unreadable_of: other.account })
    await front.step()
    inOneLedger(pays(other, payer.account, 1, null), pays(payer, account, 10, memo))
    await passLedgers(2)
    const { passedOver, compared } = await following()
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(passedOver).toMatchObject([{ protocol: 28, count: 1, transactions: [hash] }])
    const [payment] = await front.payments(session.id)
    expect(payment).toMatchObject({ status: 'confirmed' })
    expect(compared).toMatchObject({ comparison: { differing: 0 } })
    expect(await front.checkout(session.id)).toMatchObject({ status: 'completed' })
    expect(front.worker.halted()).toBeNull()
    expect(front.worker.protocol()).toMatchObject({ passedOver: 1, unread: null })
    const found = await done(front.billing.following.compare('testnet'))
    expect(found).toMatchObject({ passedOver, comparison: { differing: 0 } })

    // One of the undecodable transactions pays us.
    inOneLedger(pays(other, account, 1, null), pays(payer, account, 2, null))
    const cause = expect.stringContaining(`something of ${account}`)
    expect(await refused(front.worker.step)).toMatchObject({ _tag: 'LedgerUnreadable', cause })
    expect((await following()).passedOver).toEqual(passedOver)

    // A release that reads it.
    protocol({ current: 28 })
    await passLedgers(3)
    expect(front.worker.halted()).toBeNull()
    expect((await front.exceptions()).map(({ amount }) => amount).sort()).toEqual([units(1), units(2)])
    expect((await done(front.billing.following.compare('testnet'))).comparison).toMatchObject({ differing: 0 })
  })

  it('is counted down to the time that the operator has heard of', async () => {
    const at = unixMs(front.network.now() + 10.5 * dayMs)
    await front.close()
    seenAs = (network) => ({ ...network, announcedUpgrade: { protocol: 28, at } })
    front = await openStoreFront({}, (network) => seenAs(network))
    await front.step()
    expect(troubles()).toEqual([{ _tag: 'ProtocolComing', protocol: 28, readable: 27, daysLeft: 10 }])
    front.network.wait(4 * dayMs)
    await front.step()
    expect(troubles()).toEqual([{ _tag: 'ProtocolComing', protocol: 28, readable: 27, daysLeft: 6 }])
  })

  it('raises an alarm when balances differ after ledgers that were passed over', async () => {
    await front.close()
    const more = (balance: Balance): Balance => ({ ...balance, held: units(12) })
    seenAs = (network) => ({
      ...network,
      gateway: {
        ...network.gateway,
        balances: (holdings) =>
          TE.map((found: ReadonlyArray<Balance>) => found.map(more))(network.gateway.balances(holdings)),
      },
    })
    front = await openStoreFront({}, (network) => seenAs(network))
    await front.step()
    protocol({ current: 28, unreadable: true })
    await front.step()
    strangersPay()
    await passLedgers(2)
    expect((await following()).compared).toBeNull()
    await passLedgers(3)
    expect((await following()).compared?.comparison.differing).toBeGreaterThan(0)
    expect(troubles()).toContainEqual(expect.objectContaining({ _tag: 'PassedOverDiffers' }))
  })
})
