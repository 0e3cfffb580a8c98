import { asText, type ContractId, hourMs } from '@quittance/domain'
import { readMandates } from '@quittance/ledger'
import { movingClub, presentWasm } from '../../testing/moving-club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import { contractStandings } from './former.ts'

const request = { merchantId: null, by: asText('Ada'), reason: asText('version 2') }
let people = 400

describe('moving subscribers to another contract', () => {
  let moving: Awaited<ReturnType<typeof movingClub>>
  let first: ContractId
  let second: ContractId
  beforeAll(async () => {
    moving = await movingClub()
    first = present(moving.now().network.seen().mandateContract)
    second = await moving.deployed(presentWasm)
  })
  afterAll(() => moving.close())

  const contracts = () => moving.now().billing.mandateContracts
  const shown = (id: string) => done(moving.now().billing.subscriptions.retrieve(moving.now().scope, id))
  const order = () => command(moving.now().platform, moving.now().merchantId)
  const subscribed = async (wallet?: Wallet) => {
    const club = moving.now()
    const reader = wallet ?? (await club.wallets.wallet(++people))
    const checkout = await club.join(await club.club(), `m${++people}@migration.example`)
    await club.enrol(checkout, reader)
    const id = present((await club.checkout(checkout)).subscription_id)
    return { reader, id, mandate: (await moving.subscription(id)).authorization.mandate }
  }
  const requestOf = async (id: string) => present((await shown(id)).authorization.update_url).replace(/^.*\/pay\//, '')
  const signed = async (id: string, reader: Wallet) => {
    const { billing } = moving.now()
    const asked = await requestOf(id)
    const { transaction_xdr } = await done(billing.payer.transaction(asked, reader.account))
    return { asked, envelope: reader.sign(transaction_xdr) }
  }
  const sign = async (id: string, reader: Wallet) => {
    const { asked, envelope } = await signed(id, reader)
    await done(moving.now().billing.payer.submit(asked, envelope))
    await moving.passLedgers()
  }
  const mandateOf = async (id: string) => (await moving.subscription(id)).authorization.mandate
  const isEnded = async ({ contract, mandateId, customer }: Awaited<ReturnType<typeof mandateOf>>) => {
    const { gateway } = moving.now().network
    const key = { contract, mandate: mandateId, customer, assetId: moving.now().network.usdc.assetId }
    return present((await done(readMandates(gateway)([key])))[0]).record?.isCancelled
  }
  const balance = async ({ account }: Wallet) => {
    const { network } = moving.now()
    const [held] = await done(network.gateway.balances([{ account, assetId: network.usdc.assetId }]))
    return present(present(held).held)
  }
  const newest = async () => present((await done(contracts().migrations('testnet')))[0])
  const livingIn = async (contract: ContractId) =>
    (await done(contracts().list('testnet'))).find((each) => each.contract === contract)?.living
  const publicEvents = async (id: string) => {
    const shownModels = await moving.now().platform.shown()
    const { scope } = moving.now()
    const page = { ...scope, after: null, type: null, resourceId: id, limit: 100 }
    return (await shownModels.publicEvents.page(page)).publicEvents.map(({ type }) => type)
  }

  it('has nothing to do while every mandate is where new ones are', async () => {
    await subscribed()
    expect(await refused(contracts().migrate('testnet', request))).toEqual({ _tag: 'NothingToMigrate' })
    const nobody = { ...request, merchantId: 'mer_nobody' }
    expect(await refused(contracts().cancel('testnet', nobody))).toEqual({ _tag: 'MerchantNotFound' })
  })

  it('asks each, charges by the old mandate until the new one is on the ledger, then by that alone, and ends the old one', async () => {
    const [signing, silent, leaving] = [await subscribed(), await subscribed(), await subscribed()]
    await moving.moved(second)
    expect(await done(contracts().migrate('testnet', request))).toMatchObject({
      isNew: true,
      migration: { contract: second, left: { not_asked: 4, asked: 0 } },
    })
    expect(await done(contracts().migrate('testnet', request))).toMatchObject({ isNew: false })
    await done(moving.now().billing.subscriptions.cancel(order(), leaving.id, 'period_end'))
    await moving.passLedgers(2)
    expect((await newest()).left).toEqual({ not_asked: 0, asked: 3, leaving: 1, ending: 0 })
    expect(await shown(signing.id)).toMatchObject({
      status: 'active',
      authorization: { status: 'active', contract_id: first, update_reason: 'migration' },
    })
    expect((await publicEvents(signing.id)).at(-1)).toBe('subscription.authorization_requested')
    expect(await publicEvents(leaving.id)).not.toContain('subscription.authorization_requested')
    expect(await done(contracts().former('testnet', null))).toContainEqual({
      subscriptionId: signing.id,
      merchantId: moving.now().merchantId,
      contract: first,
      operator: signing.mandate.operator,
      standing: 'asked',
      updateUrl: (await shown(signing.id)).authorization.update_url,
    })

    const had = [await balance(signing.reader), await balance(silent.reader)]
    await moving.passDays(31)
    expect([await balance(signing.reader), await balance(silent.reader)]).toEqual(had.map((each) => each - units(10)))
    await sign(signing.id, signing.reader)
    expect((await mandateOf(signing.id)).contract).toBe(second)
    expect([await isEnded(signing.mandate), await isEnded(silent.mandate)]).toEqual([true, false])
    expect(await newest()).toMatchObject({
      left: { not_asked: 0, asked: 2, leaving: 0, ending: 0 },
      ends: { signed: 1, ended: 1 },
    })
    await moving.passDays(31)
    expect([await balance(signing.reader), await balance(silent.reader)]).toEqual(had.map((each) => each - units(20)))
    expect(await moving.subscription(signing.id)).toMatchObject({ status: 'active', covered: { n: 2 }, retired: [] })
    expect(await moving.now().exceptions()).toEqual([])
  })

  it('asks nobody twice, whoever goes on after a restart, and asks again where a swap has taken the request with it', async () => {
    const [{ id, reader }] = [await subscribedInFirst()]
    await moving.passLedgers(2)
    const asked = await requestOf(id)
    await moving.moved(second)
    await moving.passLedgers(2)
    expect(await requestOf(id)).toBe(asked)
    const dearer = await moving.now().club({ price: { amount: '25', amountCents: null } })
    const to = (productId: string) => ({ cancelAtPeriodEnd: null, metadata: undefined, productId })
    const { product_id } = await shown(id)
    await done(moving.now().billing.subscriptions.update(order(), id, to(dearer)))
    await done(moving.now().billing.subscriptions.update(order(), id, to(product_id)))
    expect((await shown(id)).authorization.update_url).toBeNull()
    await moving.now().pass(hourMs + 60_000)
    expect((await shown(id)).authorization.update_reason).toBe('migration')
    expect(await requestOf(id)).not.toBe(asked)
    await sign(id, reader)
  })

  const subscribedInFirst = async () => {
    await moving.moved(first)
    const made = await subscribed()
    await moving.moved(second)
    return made
  }

  it('asks nobody while another contract is configured than the migration names', async () => {
    await moving.moved(first)
    const { id } = await subscribed()
    await moving.passLedgers(2)
    expect((await shown(id)).authorization.update_url).toBeNull()
    await moving.moved(second)
    await moving.passLedgers(2)
    expect((await shown(id)).authorization.update_reason).toBe('migration')
  })

  it('takes back what it asked for when it is canceled, and counts a signature that was on its way', async () => {
    const [late, other] = [await subscribedInFirst(), await subscribedInFirst()]
    await moving.passLedgers(2)
    const { asked, envelope } = await signed(late.id, late.reader)
    await moving.now().network.gateway.submit(envelope)()
    expect(await done(contracts().cancel('testnet', request))).toMatchObject({
      isNew: true,
      migration: { end: { _tag: 'canceled', by: 'Ada' }, left: null },
    })
    expect(await done(contracts().cancel('testnet', request))).toMatchObject({ isNew: false })
    await moving.passLedgers()
    expect(await shown(other.id)).toMatchObject({ authorization: { update_url: null, contract_id: first } })
    expect((await mandateOf(late.id)).contract).toBe(second)
    expect(await isEnded(late.mandate)).toBe(true)
    expect(await done(moving.now().billing.payer.status(asked))).toMatchObject({ status: 'completed' })
    await moving.passDays(31)
    expect(await moving.subscription(other.id)).toMatchObject({ status: 'active', covered: { n: 1 } })
  })

  it('is complete once no living mandate is left, and then the former contract may be forgotten', async () => {
    const begun = await done(contracts().migrate('testnet', request))
    const left = present(begun.migration?.left)
    await moving.passLedgers(2)
    for (const each of await done(contracts().former('testnet', null)))
      await done(moving.now().billing.subscriptions.cancel(order(), each.subscriptionId, 'now'))
    const standings = () => contractStandings(moving.now().services, 'testnet')
    expect(await livingIn(first)).toBeGreaterThan(0)
    expect(await standings()).toEqual([
      { contract: second, standing: 'configured' },
      { contract: first, standing: 'in_use' },
    ])
    await moving.passLedgers(20)
    expect(await livingIn(first)).toBe(0)
    expect(await standings()).toContainEqual({ contract: first, standing: 'forgettable' })
    const examination = { wasmHash: '', readToml: null }
    expect(await done(moving.now().billing.doctor.examine(examination))).toContainEqual(
      expect.objectContaining({ code: 'contract_forgettable', level: 'note', subject: first }),
    )
    await moving.now().pass(hourMs)
    await moving.passLedgers(2)
    expect(await newest()).toMatchObject({
      end: { _tag: 'completed', signed: 0, ended: left.not_asked + left.asked },
      left: null,
    })
  })
})
