import { type AccountId, hourMs, type Stroops, stroops } from '@quittance/domain'
import { readMandates } from '@quittance/ledger'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present, refused, right } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs
let people = 0

describe('changing the wallet that is charged', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const wallet = () => club.wallets.wallet(300 + ++people)
  const subscribed = async () => {
    const reader = await wallet()
    const checkout = await club.join(await club.club(), `a${people}@change.example`)
    await club.enrol(checkout, reader)
    return { reader, id: present((await club.checkout(checkout)).subscription_id) }
  }
  const passDays = async (days: number) => {
    await club.pass(days * dayMs)
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
  }
  const change = (id: string) => club.billing.subscriptions.changeWallet(command(club.platform, club.merchantId), id)
  const requested = async (id: string): Promise<string> =>
    present((await done(change(id))).authorization.update_url).replace(/^.*\/pay\//, '')
  const sign = async (request: string, by: Wallet) => {
    const { transaction_xdr } = await done(club.billing.payer.transaction(request, by.account))
    await done(club.billing.payer.submit(request, by.sign(transaction_xdr)))
    await club.pass()
  }
  const subscription = async (id: string) => {
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`there is no ${id}`)
    return state
  }
  const mandateOf = async (id: string) => (await subscription(id)).authorization.mandate
  const isEnded = async (id: string, mandate: Awaited<ReturnType<typeof mandateOf>>) => {
    const { assetId } = (await subscription(id)).details
    const { contract, mandateId, customer } = mandate
    const key = { contract, mandate: mandateId, customer, assetId }
    return present((await done(readMandates(club.network.gateway)([key])))[0]).record?.isCancelled
  }
  const balance = async ({ account }: { readonly account: AccountId }): Promise<Stroops> => {
    const { assetId } = club.network.usdc
    const [held] = await done(club.network.gateway.balances([{ account, assetId }]))
    return present(present(held).held)
  }

  it('charges the present wallet until another has signed, then that one alone, and ends the former mandate', async () => {
    const { reader, id } = await subscribed()
    const [next, former] = [await wallet(), await mandateOf(id)]
    const request = await requested(id)
    const [had, hadNext] = [await balance(reader), await balance(next)]
    await passDays(31)
    expect([await balance(reader), await balance(next)]).toEqual([had - units(10), hadNext])
    await sign(request, next)
    expect((await mandateOf(id)).customer).toBe(next.account)
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    expect(await isEnded(id, former)).toBe(true)
    await passDays(31)
    expect(await subscription(id)).toMatchObject({
      status: 'active',
      covered: { n: 2 },
      cancellation: null,
      retired: [],
    })
    expect([await balance(reader), await balance(next)]).toEqual([had - units(10), hadNext - units(10)])
    expect(await done(club.billing.subscriptions.retrieve(club.scope, id))).toMatchObject({
      authorization: { status: 'active', update_url: null },
      last_attempt: { status: 'confirmed', payment_method_details: { address: next.account } },
    })
  })

  it.each(['before', 'after'])(
    'charges one of the two wallets, once, if the new mandate lands %s a charge that is under way',
    async (when) => {
      const { reader, id } = await subscribed()
      const [next, former] = [await wallet(), await mandateOf(id)]
      const request = await requested(id)
      const had = (await balance(reader)) + (await balance(next))
      const delayNext = () => right(club.network.sandbox.faults.set({ include_late: { ledgers: 1, times: 1 } }))
      club.network.wait(31 * dayMs)
      if (when === 'before') delayNext()
      await club.step()
      if (when === 'after') delayNext()
      expect((await subscription(id)).attempts.at(-1)).toMatchObject({ n: 1, status: 'under_way' })
      await sign(request, next)
      for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
      await passDays(2)
      expect(await subscription(id)).toMatchObject({
        status: 'active',
        covered: { kind: 'paid', n: 1 },
        failedPaymentCount: 0,
        authorization: { mandate: { customer: next.account } },
      })
      expect((await balance(reader)) + (await balance(next))).toBe(stroops(had - units(10)))
      expect([await isEnded(id, former), await club.exceptions()]).toEqual([true, []])
    },
  )

  it('keeps one request open, whoever asks how often, and ends it with the subscription', async () => {
    const { id } = await subscribed()
    const request = await requested(id)
    expect(await requested(id)).toBe(request)
    const { customerId } = (await subscription(id)).details
    const asked = await done(club.billing.portal.change({ ...club.scope, customerId }, id, 'change_wallet'))
    expect(asked.authorization.update_url).toMatch(request)
    await done(club.billing.subscriptions.cancel(command(club.platform, club.merchantId), id, 'now'))
    expect(await done(club.billing.payer.status(request))).toMatchObject({
      status: 'failed',
      failure_reason: 'subscription_canceled',
    })
    expect(await refused(change(id))).toMatchObject({ _tag: 'SubscriptionIsCanceled' })
  })

  it('collects what is owed from the new wallet at once', async () => {
    const { reader, id } = await subscribed()
    const next = await wallet()
    const all = await balance(reader)
    reader.pay({ to: club.other.account, asset: club.network.usdc.assetId, parts: [all], memo: null })
    await passDays(31)
    expect((await subscription(id)).status).toBe('past_due')
    const had = await balance(next)
    await sign(await requested(id), next)
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
    expect((await subscription(id)).status).toBe('active')
    expect(await balance(next)).toBe(had - units(10))
  })
})
