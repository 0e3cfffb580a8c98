import { asText, type ContractId, LedgerSequence, minuteMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { movingClub, presentWasm } from '../../testing/moving-club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

const ada = { by: asText('Ada'), reason: asText('the quarterly reset'), isForced: false }

describe('a testnet reset with everything alive', () => {
  let moving: Awaited<ReturnType<typeof movingClub>>
  let contract: ContractId
  beforeAll(async () => {
    moving = await movingClub()
    contract = present(moving.now().network.seen().mandateContract)
    await moving.moved(await moving.deployed(presentWasm))
  })
  afterAll(() => moving.close())

  const front = () => moving.now()
  const billing = () => front().billing
  const subscribe = async (product: string, email: string, wallet: Wallet): Promise<string> => {
    const checkout = await front().join(product, email)
    await front().enrol(checkout, wallet)
    await moving.passLedgers(2)
    return present((await front().checkout(checkout)).subscription_id)
  }
  const subscription = (id: string) => done(billing().subscriptions.retrieve(front().scope, id))
  const toBoundary = async (id: string): Promise<void> => {
    const { covered } = await moving.subscription(id)
    await front().pass(covered.period.end - front().network.now() + minuteMs)
    await moving.passLedgers()
  }
  const access = async (customer: string | null, product: string) =>
    (await done(billing().access(front().scope, present(customer), product))).has_access
  const reset = () => billing().networkResets.reset('testnet', ada)
  const reconciled = () =>
    done(billing().following.reconcile('testnet', { from: decoded(LedgerSequence, 1), to: null, merchantId: null }))

  it('ends all that lived, and begins anew with the same customers, products and keys', async () => {
    const { network } = front()
    const product = await front().club()
    const wallet = await front().wallets.wallet(30)
    const id = await subscribe(product, 'ada@example.com', wallet)
    const { customer_id: customer } = await subscription(id)
    await toBoundary(id)
    // Somebody else owes an invoice, and somebody is trying the product.
    const poor = await front().wallets.wallet(31)
    const owing = await subscribe(product, 'bob@example.com', poor)
    poor.pay({ to: wallet.account, asset: network.usdc.assetId, parts: [units(9_990)], memo: null })
    await toBoundary(owing)
    await moving.passDays(15)
    expect((await subscription(owing)).status).toBe('overdue')
    const trial = await front().join(product, 'eve@example.com', 20)
    await front().enrol(trial, await front().wallets.wallet(32))
    await moving.passLedgers(2)

    const refunds = refundsIn(front())
    const payouts = payoutsIn(front())
    const paid = await refunds.paid()
    const another = await refunds.paid()
    await payouts.earn(4)
    const destination = await payouts.destination()
    const open = await front().sell()
    const partly = await front().sell()
    await front().pay(partly.id, [units(3)])
    await front().pay(null, [units(4)])
    await front().reprice(product, '12')
    await moving.moved(contract)
    await done(billing().mandateContracts.migrate('testnet', { ...ada, merchantId: null }))
    await moving.passLedgers(2)
    expect((await subscription(id)).authorization.update_reason).toBe('migration')
    network.faults.losesSubmissions = true
    const [mine, yours] = [refundsIn(front()), payoutsIn(front())]
    const refund = await done(mine.request(paid))
    const payout = await done(yours.request(destination))
    await front().step()
    const waits = await done(mine.request(another, { destination: (await front().wallets.wallet(33)).account }))

    network.startAnew()
    network.faults.losesSubmissions = false
    await refused(front().worker.step)
    expect(await refused(billing().networkResets.reset('mainnet', ada))).toEqual({ _tag: 'MainnetIsNeverReset' })
    const started = await done(reset())
    expect(started).toMatchObject({ epoch: 1, by: 'Ada', reason: 'the quarterly reset' })
    expect(await refused(reset())).toEqual({ _tag: 'NetworkNotReset' })

    for (const ended of [id, owing])
      expect(await subscription(ended)).toMatchObject({ status: 'canceled', cancellation_reason: 'network_reset' })
    expect(await access(customer, product)).toBe(false)
    for (const ended of [open, partly])
      expect(await front().checkout(ended.id)).toMatchObject({ status: 'failed', failure_reason: 'network_reset' })
    for (const ended of [refund, waits])
      expect(await done(billing().refunds.retrieve(front().scope, ended.id))).toMatchObject({
        status: 'failed',
        failure_reason: 'network_reset',
      })
    expect(await yours.payoutNow(payout)).toMatchObject({ status: 'failed', failure_reason: 'network_reset' })
    const [migration] = await done(billing().mandateContracts.migrations('testnet'))
    expect(migration?.end).toMatchObject({ _tag: 'canceled', reason: 'network_reset: the quarterly reset' })
    expect(await refused(mine.request(another))).toEqual({ _tag: 'PaymentBeforeReset' })
    expect(await reconciled()).toMatchObject({ isOk: true })

    // The accounts are made again, and everything works as in a new shop.
    for (let ledgers = 0; ledgers < 4; ledgers++) await front().pass()
    const back = await front().wallets.wallet(30)
    expect(back.account).toBe(wallet.account)
    await front().wallets.wallet(1)
    const renewed = await subscribe(product, 'ada@example.com', back)
    expect((await subscription(renewed)).customer_id).toBe(customer)
    expect(await access(customer, product)).toBe(true)
    await toBoundary(renewed)
    await toBoundary(renewed)
    expect((await moving.subscription(renewed)).attempts.map(({ status }) => status)).toEqual([
      'confirmed',
      'confirmed',
    ])
    const again = refundsIn(front())
    const sold = await again.paid()
    expect((await again.ended(await done(again.request(sold)))).status).toBe('succeeded')
    const paidOut = await payoutsIn(front()).ended(await done(payoutsIn(front()).request(destination)))
    expect(paidOut.status).toBe('succeeded')
    await moving.passLedgers()
    expect(await reconciled()).toMatchObject({ isOk: true })
    const compared = await done(billing().following.compare('testnet'))
    expect(compared.balances.filter(({ difference }) => difference !== 0n)).toEqual([])
    expect(await front().services.violations.present('testnet')).toEqual([])
  })
})
