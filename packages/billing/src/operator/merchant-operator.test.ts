import { type AccountId, asText, hourMs } from '@quittance/domain'
import { readMandates } from '@quittance/ledger'
import { type Club, clubIn } from '../testing/club.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { command } from '../testing/shop.ts'
import { openNextDoor, openStoreFront } from '../testing/store-front.ts'
import type { Wallet } from '../testing/wallets.ts'
import { noteLackingKeys } from './lacking-keys.ts'

const dayMs = 24 * hourMs
let people = 500

describe("a merchant's own operator account", () => {
  let club: Club
  let own: AccountId
  beforeAll(async () => {
    club = clubIn(await openStoreFront())
  })
  afterAll(() => club.close())

  const order = (at: Club = club) => command(at.platform, at.merchantId)
  const ledgers = async (count = 6) => {
    for (let passed = 0; passed < count; passed++) await club.pass()
  }
  const subscribed = async (at: Club = club) => {
    const reader = await club.wallets.wallet(++people)
    const checkout = await at.join(await at.club(), `o${people}@operator.example`)
    await at.enrol(checkout, reader)
    const id = present((await at.checkout(checkout)).subscription_id)
    return { reader, id, mandate: (await subscription(id)).authorization.mandate }
  }
  const subscription = async (id: string) => {
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`there is no ${id}`)
    return state
  }
  const sign = async (id: string, wallet: Wallet) => {
    const { authorization } = await done(club.billing.subscriptions.retrieve(club.scope, id))
    const request = present(authorization.update_url).replace(/^.*\/pay\//, '')
    const { transaction_xdr, mandate } = await done(club.billing.payer.transaction(request, wallet.account))
    await done(club.billing.payer.submit(request, wallet.sign(transaction_xdr)))
    await ledgers()
    return mandate
  }
  const isEnded = async ({ contract, mandateId, customer }: Awaited<ReturnType<typeof subscribed>>['mandate']) => {
    const key = { contract, mandate: mandateId, customer, assetId: club.network.usdc.assetId }
    return present((await done(readMandates(club.network.gateway)([key])))[0]).record?.isCancelled
  }

  it('is adopted once it is made and can pay, by a merchant that exists', async () => {
    expect(await refused(club.billing.operator.adopt(order(), 'own'))).toEqual({
      _tag: 'OperatorNotFunded',
      account: null,
    })
    const made = await done(club.billing.operator.create('testnet', club.merchantId))
    expect(await done(club.billing.operator.create('testnet', club.merchantId))).toEqual(made)
    expect(made.account).not.toBe((await done(club.billing.operator.create('testnet'))).account)
    expect(await done(club.billing.operator.adopt(order(), 'own'))).toBe(made.account)
    expect(await done(club.billing.operator.adopt(order(), 'service'))).toBeNull()
    const nobody = { ...order(), merchantId: 'mer_nobody' }
    expect(await refused(club.billing.operator.adopt(nobody, 'service'))).toEqual({ _tag: 'MerchantNotFound' })
    own = made.account
  })

  it('charges new mandates of this merchant alone; present ones go on with the account that they name', async () => {
    const before = await subscribed()
    await done(club.billing.operator.adopt(order(), 'own'))
    const after = await subscribed()
    const nextDoor = clubIn(await openNextDoor(club))
    const other = await subscribed(nextDoor)
    expect([after.mandate.operator, other.mandate.operator]).toEqual([own, before.mandate.operator])
    expect(before.mandate.operator).not.toBe(own)
    await club.pass(31 * dayMs)
    await ledgers()
    for (const { id } of [before, after, other])
      expect(await subscription(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 1 } })
    expect(await club.exceptions()).toEqual([])
    const rows = await done(club.billing.mandateContracts.list('testnet'))
    expect(rows[0]?.operators.toSorted((one, two) => one.living - two.living)).toEqual([
      { operator: own, isService: false, living: 1 },
      { operator: before.mandate.operator, isService: true, living: 2 },
    ])
  })

  it('takes over present mandates by new signatures; the old one is ended in the name of the account that it names', async () => {
    const left = await done(club.billing.mandateContracts.former('testnet', null))
    expect(left).toHaveLength(1)
    await done(club.billing.operator.adopt(order(), 'service'))
    const [same, another] = [await subscribed(), await subscribed()]
    await done(club.billing.operator.adopt(order(), 'own'))
    const request = { merchantId: club.merchantId, by: asText('Ada'), reason: asText('own account') }
    expect(await done(club.billing.mandateContracts.migrate('testnet', request))).toMatchObject({
      migration: { left: { not_asked: 3 } },
    })
    await ledgers(2)
    // The same wallet: never two mandates, and never none.
    expect(await sign(same.id, same.reader)).toMatchObject({ replaces: same.mandate.mandateId })
    const wallet = await club.wallets.wallet(++people)
    expect(await sign(another.id, wallet)).toMatchObject({ replaces: null })
    await ledgers()
    for (const each of [same, another]) {
      expect(await isEnded(each.mandate)).toBe(true)
      expect(await subscription(each.id)).toMatchObject({ retired: [], authorization: { mandate: { operator: own } } })
    }
    await club.pass(31 * dayMs)
    await ledgers()
    for (const { id } of [same, another]) expect(await subscription(id)).toMatchObject({ covered: { n: 1 } })
  })

  it('is missed by name in a vault that lacks its key', async () => {
    const lacking = await noteLackingKeys({ ...club.services, vault: withoutOwn() })
    expect(lacking).toEqual([{ environment: 'testnet', name: `operator/testnet/${club.merchantId}`, subject: own }])
  })

  const withoutOwn = () => {
    const { vault } = club.services
    let noted: ReturnType<typeof vault.lacking> = []
    return {
      ...vault,
      keysNamed: async (beginning: string) =>
        (await vault.keysNamed(beginning)).filter(
          (key) => !key.endsWith(club.merchantId) || !key.startsWith('operator/'),
        ),
      noteLacking: (keys: typeof noted) => {
        noted = keys
      },
      lacking: () => noted,
    }
  }
})
