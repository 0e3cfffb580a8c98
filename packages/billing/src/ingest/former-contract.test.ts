import { movingClub, presentWasm } from '../testing/moving-club.ts'
import { done, present } from '../testing/outcomes.ts'
import { command } from '../testing/shop.ts'

describe('a mandate offered in a contract that is no longer configured', () => {
  let moving: Awaited<ReturnType<typeof movingClub>>
  beforeEach(async () => {
    moving = await movingClub()
  })
  afterEach(() => moving.close())

  it('starts its subscription when the customer signs it, though no mandate was made in that contract before', async () => {
    const checkout = await moving.now().join(await moving.now().club(), 'late@signer.example')
    const reader = await moving.now().wallets.wallet(1)
    const former = present(moving.now().network.seen().mandateContract)
    const { transaction_xdr } = await done(moving.now().billing.payer.transaction(checkout, reader.account))
    await moving.moved(await moving.deployed(presentWasm))
    await done(moving.now().network.gateway.submit(reader.sign(transaction_xdr)))
    await moving.passLedgers()
    const { status, subscription_id } = await moving.now().checkout(checkout)
    expect(status).toBe('completed')
    expect((await moving.subscription(present(subscription_id))).authorization.mandate.contract).toBe(former)
  })

  it('replaces the mandate of a subscriber who signs it for a change of wallet, and the former one ends', async () => {
    const configured = present(moving.now().network.seen().mandateContract)
    const [reader, next] = [await moving.now().wallets.wallet(2), await moving.now().wallets.wallet(3)]
    const checkout = await moving.now().join(await moving.now().club(), 'changing@signer.example')
    await moving.now().enrol(checkout, reader)
    const id = present((await moving.now().checkout(checkout)).subscription_id)
    const offered = await moving.deployed(presentWasm)
    await moving.moved(offered)
    const { billing, platform, merchantId } = moving.now()
    const { authorization } = await done(billing.subscriptions.changeWallet(command(platform, merchantId), id))
    const request = present(authorization.update_url).replace(/^.*\/pay\//, '')
    for (let asked = 0; asked < 2; asked++) await done(billing.payer.transaction(request, next.account))
    const { transaction_xdr } = await done(billing.payer.transaction(request, next.account))
    await moving.moved(configured)
    await done(moving.now().billing.payer.submit(request, next.sign(transaction_xdr)))
    await moving.passLedgers()
    const { events } = await done(moving.now().platform.log.readStream(`subscription-${id}`))
    expect(events.filter(({ type }) => type === 'AuthorizationOffered')).toHaveLength(1)
    expect(await moving.subscription(id)).toMatchObject({
      authorization: { mandate: { contract: offered, customer: next.account }, requested: null },
      retired: [],
      endedMandates: [expect.any(String)],
    })
  })
})
