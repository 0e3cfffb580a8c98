import { stroops } from '@quittance/domain'
import { acceptLog } from '../../testing/accept-log.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { done } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openShop } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

let front: StoreFront
let exceptions: ReturnType<typeof exceptionsIn>
beforeAll(async () => {
  front = await openStoreFront()
  exceptions = exceptionsIn(front)
})
afterAll(() => front.close())

const wait = async (ms: number): Promise<void> => {
  front.network.wait(ms)
  await front.step()
}
const usdc = () => front.network.usdc.assetId
const xlm = () => front.network.xlm.assetId

describe('returns that might not arrive', () => {
  const waits = async (hash: string, decision_needed: string) => {
    await wait(1000)
    const exception = await exceptions.of(hash)
    expect(exception).toMatchObject({
      status: 'open',
      decision_needed,
      decision_message: expect.any(String),
      action: null,
      return_status: null,
    })
    expect(await exceptions.intentsOf(exception)).toEqual([])
    const end = await exceptions.eventsOf(exception)
    await wait(1000)
    expect(await exceptions.eventsOf(exception)).toEqual(end)
  }

  it('an exception waits for a person when its sender requires memos', async () => {
    const exchange = await front.wallets.wallet(61)
    exchange.requireMemo()
    await waits(await front.pay(null, [units(3)], { from: exchange }), 'destination_requires_memo')
  })
  it("an exception waits for a person when its sender is on the operator's list", async () => {
    const exchange = await front.wallets.wallet(62)
    front.network.omnibusAccounts.add(exchange.account)
    await waits(await front.pay(null, [units(3)], { from: exchange }), 'destination_is_omnibus')
  })
  it('an exception waits for a person when its sender paid by a path and does not trust the received asset', async () => {
    front.other.offer(usdc(), units(10), xlm(), 4)
    const bare = await front.wallets.bareWallet(63)
    const hash = bare.payByPath(xlm(), { to: front.account, asset: usdc(), parts: [units(1)], memo: null })
    await front.step()
    await waits(hash, 'destination_no_trustline')
  })
  it('an exception waits for a person when its sender has no room left for it', async () => {
    const full = await front.wallets.wallet(64)
    const hash = full.pay({ to: front.account, asset: usdc(), parts: [units(3)], memo: null })
    full.limit(usdc(), units(9_999))
    await front.step()
    await waits(hash, 'destination_full')
  })
  it('an exception waits for a person when its sender closed the account', async () => {
    const gone = await front.wallets.bareWallet(65)
    const hash = gone.pay({ to: front.account, asset: xlm(), parts: [units(3)], memo: null })
    gone.merge(front.other.account)
    await front.step()
    await waits(hash, 'destination_not_found')
  })
  it("an exception waits for a person when its sender's account was merged into ours", async () => {
    const merging = await front.wallets.bareWallet(66)
    merging.merge(front.account)
    await front.step()
    const [newest] = await exceptions.all()
    await waits(newest?.transaction_hash ?? '', 'destination_not_found')
  })
  it('an exception waits for a person when a merchant of this service sent it, so that money never goes back and forth', async () => {
    const second = await openShop(front.platform)
    await front.step()
    const { account } = await done(front.services.settlementOf(second, 'testnet'))
    front.payer.pay({ to: account, asset: usdc(), parts: [units(50)], memo: 'float' })
    front.wallets.payFrom(await front.seedOf(second), {
      to: front.account,
      asset: usdc(),
      parts: [units(3)],
      memo: null,
    })
    await acceptLog(front)
    const found = (await exceptions.all()).find((each) => each.from_address === account)
    await waits(found?.transaction_hash ?? '', 'sender_is_ours')
  })
  it('an exception waits for a person when it is itself a return', async () => {
    await waits(await front.pay('exc_0000000000000000000000', [units(3)]), 'is_return')
  })
  it('an exception waits for a person when the account could return it only out of its reserve', async () => {
    const hash = front.payer.pay({ to: front.account, asset: xlm(), parts: [units(3)], memo: null })
    const view = await done(front.network.gateway.accountView(front.account, []))
    const rest = stroops((view?.nativeSpendable ?? 0n) - units(2))
    front.wallets.payFrom(await front.seedOf(front.merchantId), {
      to: front.other.account,
      asset: xlm(),
      parts: [rest],
      memo: null,
    })
    await acceptLog(front)
    await waits(hash, 'insufficient_funds')
  })
})

describe('a return that the ledger refuses', () => {
  it('a return that the ledger refuses waits for a person, who may send it elsewhere', async () => {
    const changing = await front.wallets.wallet(67)
    const found = await exceptions.of(await front.pay('rf_0000000000000000000000', [units(3)], { from: changing }))
    await done(exceptions.resolve(found, { action: 'refund', destination: null, note: null }))
    changing.limit(usdc(), units(9_999))
    front.network.wait(1_000)
    const exception = await exceptions.settled(found)
    expect(exception).toMatchObject({
      status: 'open',
      decision_needed: 'destination_full',
      return_status: 'failed',
      return_failure_code: 'paymentLineFull',
      return_transaction_hash: null,
    })
    const before = await exceptions.held(front.other.account)
    await payoutsIn(front).destination(front.other)
    const again = { action: 'refund', destination: front.other.account, note: null } as const
    await done(exceptions.resolve(exception, again))
    expect(await exceptions.settled(exception)).toMatchObject({
      status: 'resolved',
      action: 'refund',
      resolved_by: 'test',
      return_address: front.other.account,
    })
    expect(await exceptions.held(front.other.account)).toBe(before + units(3))
    expect(await exceptions.intentsOf(exception)).toHaveLength(2)
  })
})
