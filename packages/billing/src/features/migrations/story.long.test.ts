import { asText, type ContractId, LedgerSequence, minuteMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { readMandates } from '@quittance/ledger'
import { formerCode, formerWasm } from '../../testing/former-code.ts'
import { movingClub, presentWasm } from '../../testing/moving-club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { subscribersOf } from '../../testing/subscribers.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import { contractStandings } from './former.ts'

const ada = { by: asText('Ada'), reason: asText('a newer contract') }

describe('a subscription of three years', () => {
  let moving: Awaited<ReturnType<typeof movingClub>>
  let contracts: Readonly<Record<'oldest' | 'middle' | 'newest', ContractId>>
  beforeAll(async () => {
    moving = await movingClub()
    const middle = present(moving.now().network.seen().mandateContract)
    contracts = { oldest: await moving.deployed(formerWasm), middle, newest: await moving.deployed(presentWasm) }
    await moving.moved(contracts.oldest)
  })
  afterAll(() => moving.close())

  const billing = () => moving.now().billing
  const order = () => command(moving.now().platform, moving.now().merchantId)
  const authorization = async (id: string) =>
    (await done(billing().subscriptions.retrieve(moving.now().scope, id))).authorization
  const sign = async (id: string, wallet: Wallet) => {
    const request = present((await authorization(id)).update_url).replace(/^.*\/pay\//, '')
    const { transaction_xdr } = await done(billing().payer.transaction(request, wallet.account))
    await done(billing().payer.submit(request, wallet.sign(transaction_xdr)))
  }
  /** Months go by until the beginning of each next period. The wallet approves when its approval runs out. */
  const months = async (id: string, count: number, wallet: Wallet) => {
    for (let month = 0; month < count; month++) {
      const { covered } = await moving.subscription(id)
      await moving.now().pass(covered.period.end - moving.now().network.now() + minuteMs)
      await moving.passLedgers(4)
      if ((await authorization(id)).update_reason === 'expiring') await sign(id, wallet)
      await moving.passLedgers(2)
    }
  }
  const migrate = async (merchantId: string | null = null) => {
    await done(billing().mandateContracts.migrate('testnet', { ...ada, merchantId }))
    await moving.passLedgers(2)
  }
  const mandateOf = async (id: string) => (await moving.subscription(id)).authorization.mandate
  type Mandate = Awaited<ReturnType<typeof mandateOf>>
  const isEnded = async ({ contract, mandateId, customer }: Mandate) => {
    const { gateway, usdc } = moving.now().network
    const key = { contract, mandate: mandateId, customer, assetId: usdc.assetId }
    return present((await done(readMandates(gateway)([key])))[0]).record?.isCancelled
  }
  const balance = async ({ account }: Wallet) => {
    const { gateway, usdc } = moving.now().network
    return present(present((await done(gateway.balances([{ account, assetId: usdc.assetId }])))[0]).held)
  }

  it('is charged once for each period, through three contracts, two operator accounts and two wallets', async () => {
    const [first, second] = [await moving.now().wallets.wallet(710), await moving.now().wallets.wallet(711)]
    const had = { first: await balance(first), second: await balance(second) }
    const before = await subscribersOf(moving.now(), 710)
    const id = await before.subscribe(first, { code: formerCode, interval: 'month' })
    const mandates = [await mandateOf(id)]
    await moving.passLedgers(2)
    await months(id, 7, first)

    // The contract of today's code. The customer takes two months to sign.
    await moving.moved(contracts.middle)
    await migrate()
    expect(await authorization(id)).toMatchObject({ update_reason: 'migration', contract_id: contracts.oldest })
    await months(id, 2, first)
    await sign(id, first)
    await moving.passLedgers()
    mandates.push(await mandateOf(id))
    await months(id, 5, first)

    // The merchant charges by an operator account of its own from now on.
    const service = (await mandateOf(id)).operator
    const { account: own } = await done(billing().operator.create('testnet', moving.now().merchantId))
    expect(await done(billing().operator.adopt(order(), 'own'))).toBe(own)
    await migrate(moving.now().merchantId)
    await months(id, 1, first)
    expect((await mandateOf(id)).operator).toBe(service)
    await sign(id, first)
    await moving.passLedgers()
    mandates.push(await mandateOf(id))
    expect(await mandateOf(id)).toMatchObject({ operator: own, contract: contracts.middle })
    await months(id, 6, first)

    // The wallet is lost; the customer signs with another one.
    await done(billing().subscriptions.changeWallet(order(), id))
    await sign(id, second)
    await moving.passLedgers()
    mandates.push(await mandateOf(id))
    await months(id, 6, second)

    // The third contract. The signature and the charge of a period meet in one ledger.
    await moving.moved(contracts.newest)
    await migrate()
    const { covered } = await moving.subscription(id)
    moving.now().network.wait(covered.period.end - moving.now().network.now() + minuteMs)
    await moving.now().step()
    await sign(id, second)
    await moving.passLedgers()
    mandates.push(await mandateOf(id))
    expect(await mandateOf(id)).toMatchObject({ operator: own, contract: contracts.newest, customer: second.account })
    await months(id, 8, second)
    // A migration settles a quarter of an hour after it has begun, and all is looked at hourly.
    await moving.passDays(1)

    const state = await moving.subscription(id)
    expect(state).toMatchObject({ status: 'active', failedPaymentCount: 0, retired: [], cancellation: null })
    const paid = state.attempts.filter(({ status }) => status === 'confirmed').map(({ n }) => n)
    expect(paid).toEqual(paid.map((_, index) => index + 1))
    expect(paid.length).toBeGreaterThanOrEqual(36)
    const [byFirst, bySecond] = [had.first - (await balance(first)), had.second - (await balance(second))]
    expect(byFirst + bySecond).toBe(BigInt(paid.length) * units(10))
    expect(byFirst).toBe(21n * units(10))
    const [last, ...ended] = mandates.toReversed()
    expect(await Promise.all(ended.map(isEnded))).toEqual([true, true, true, true])
    expect(await isEnded(present(last))).toBe(false)
    expect(await contractStandings(moving.now().services, 'testnet')).toEqual([
      { contract: contracts.newest, standing: 'configured' },
      { contract: contracts.oldest, standing: 'forgettable' },
      { contract: contracts.middle, standing: 'forgettable' },
    ])
    const migrations = await done(billing().mandateContracts.migrations('testnet'))
    expect(migrations.map(({ end }) => end)).toEqual(
      Array(3).fill(expect.objectContaining({ _tag: 'completed', signed: 1, ended: 0 })),
    )
    expect(await moving.now().exceptions()).toEqual([])
    const request = { from: decoded(LedgerSequence, 1), to: null, merchantId: null }
    expect(await done(billing().following.reconcile('testnet', request))).toMatchObject({ isOk: true })
  })
})
