import { AuthorizationId, hourMs, type SubscriptionId, stroops, unixMs } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import { cancelCall, type MandateTerms, mandateIdOf, renewCall } from '@quittance/ledger'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs
let people = 0

describe('changes that customers make to their mandates on the ledger', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const subscribed = async (reader?: Wallet) => {
    const wallet = reader ?? (await club.wallets.wallet(40 + ++people))
    const id = await club.join(await club.club(), `reader-${++people}@changes.example`)
    await club.enrol(id, wallet)
    const terms = await club.termsOf(id)
    const { subscription_id } = await club.checkout(id)
    return { wallet, terms, mandate: mandateIdOf(terms), id: present(subscription_id) }
  }
  const typesOf = async (id: SubscriptionId | string) =>
    (await done(club.platform.log.readStream(`subscription-${id}`))).events.map(({ type }) => type)
  const approvalOf = async (id: string) => {
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`${id} does not exist`)
    return state.authorization.mandate.approval
  }
  /** Walks everything again, as after a crash: nothing is written twice. */
  const walkAgain = async () => {
    const before = await club.platform.logEnd()
    const { cursors } = club.services
    const [account] = await (await club.platform.shown()).watchedAccounts.all()
    const cursor = present(await done(cursors.of('testnet').load()))
    await cursors.move('testnet', { ...cursor, sequence: present(account).row.setUpThrough, hash: null })
    await club.step()
    expect(await club.platform.logEnd()).toEqual(before)
  }

  it('ends the subscription with its period when the customer cancels the mandate', async () => {
    const { wallet, terms, mandate, id } = await subscribed()
    await club.call(wallet, cancelCall(terms.contract, wallet.account, mandate))
    await club.pass()
    expect((await typesOf(id)).slice(0, 3)).toEqual([
      'SubscriptionStarted',
      'AuthorizationRevoked',
      'CancellationScheduled',
    ])
    await walkAgain()
  })

  it('records an approval in all subscriptions of the wallet, whichever mandate it was made for', async () => {
    const one = await subscribed()
    const other = await subscribed(one.wallet)
    const { contract, assetId, allowanceExpiryLedger } = other.terms
    const allowance = stroops(other.terms.allowance + units(100))
    const renewal = { contract, customer: one.wallet.account, assetId, allowance, allowanceExpiryLedger }
    const { networkPassphrase } = club.network.gateway
    await club.call(one.wallet, renewCall({ ...renewal, mandate: one.mandate }, networkPassphrase))
    await club.pass()
    for (const { id } of [one, other]) expect(await approvalOf(id)).toMatchObject({ allowance, allowanceExpiryLedger })
    // The second mandate’s own approval, and the renewal.
    expect(await typesOf(one.id)).toEqual(['SubscriptionStarted', 'AllowanceSeen', 'AllowanceSeen'])
    await walkAgain()
  })

  /** A subscription whose customer is asked for another mandate, and the terms that would do. */
  const asked = async () => {
    const { wallet, terms, mandate, id } = await subscribed()
    await club.call(wallet, cancelCall(terms.contract, wallet.account, mandate))
    await club.pass()
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`${id} does not exist`)
    const { authorizationId } = present(state.authorization.requested)
    const reference = (await done(club.billing.payer.quote(authorizationId))).memo
    const allowance = stroops(terms.allowance * 2n)
    const anew: MandateTerms = { ...terms, reference, firstAmount: stroops(0n), allowance }
    return { wallet, id, anew }
  }

  it('replaces the mandate of a subscription whose customer was asked for another one', async () => {
    const { wallet, id, anew } = await asked()
    await club.create(wallet, anew)
    await club.pass()
    expect(await typesOf(id)).toContain('MandateReplaced')
    const state = await club.subscription(id)
    expect(state).toMatchObject({
      authorization: { mandate: { mandateId: mandateIdOf(anew), customer: wallet.account } },
    })
    await walkAgain()
  })

  it.each<[string, (terms: MandateTerms) => Partial<MandateTerms>]>([
    ['another operator', () => ({ operator: club.other.account })],
    ['a first amount', ({ cap }) => ({ firstAmount: cap })],
    ['a cap below the price', () => ({ cap: stroops(99_999_999n) })],
    ['an end', ({ firstChargeAt }) => ({ endsAt: unixMs(firstChargeAt + 400 * dayMs) })],
    ['another asset', () => ({ assetId: club.network.eurc.assetId })],
    ['a later beginning', ({ firstChargeAt }) => ({ firstChargeAt: unixMs(firstChargeAt + 60 * dayMs) })],
  ])('does not replace a mandate by one with %s', async (_, altered) => {
    const { wallet, id, anew } = await asked()
    await club.create(wallet, { ...anew, ...altered(anew) })
    await club.pass()
    expect(await typesOf(id)).not.toContain('MandateReplaced')
    await walkAgain()
  })

  it('takes it for no cancellation when a mandate that does not count replaces the one that does', async () => {
    const { wallet, terms, mandate, id } = await subscribed()
    const reference: string = exampleId(AuthorizationId, ++people)
    const allowance = stroops(terms.allowance + terms.cap)
    await club.create(wallet, { ...terms, reference, firstAmount: stroops(0n), allowance, replaces: mandate })
    for (let ledgers = 0; ledgers < 3; ledgers++) await club.pass()
    expect(await typesOf(id)).toEqual([
      'SubscriptionStarted',
      'AllowanceSeen',
      'MandateEnded',
      'AuthorizationRequested',
    ])
    await walkAgain()
  })

  it('records only the approval of a mandate that belongs to no subscription', async () => {
    const { wallet, terms, id } = await subscribed()
    const reference: string = exampleId(AuthorizationId, ++people)
    const allowance = stroops(terms.allowance + terms.cap)
    const stray = { ...terms, reference, firstAmount: stroops(0n), allowance }
    await club.create(wallet, stray)
    await club.pass()
    await club.call(wallet, cancelCall(terms.contract, wallet.account, mandateIdOf(stray)))
    await club.pass()
    // Its approval is for all of the wallet’s mandates; its end is not.
    expect(await typesOf(id)).toEqual(['SubscriptionStarted', 'AllowanceSeen'])
  })
})
