import { asText, LedgerSequence } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'

describe('mandates in skipped ledgers', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
    await club.step()
  })
  afterAll(() => club.close())

  const skipTo = async (from: number): Promise<void> => {
    const { merchantId: _, ...context } = command(club.platform, '')
    const request = { from: decoded(LedgerSequence, from), by: asText('ada'), reason: asText('a test'), isForced: true }
    await done(club.billing.following.resume(context, request))
  }

  it('starts the subscription of a mandate in a skipped ledger once its relayed transaction is found', async () => {
    const id = await club.join(await club.club(), 'skipped@club.example')
    const { transaction_xdr } = await club.offered(id, club.payer)
    await done(club.billing.payer.submit(id, club.payer.sign(transaction_xdr)))
    club.network.wait(1000)
    club.network.wait(1000)
    await skipTo(club.network.sandbox.clock().ledger + 1)
    await club.pass(1000)
    const { status, payment_id, subscription_id } = await club.checkout(id)
    expect(status).toBe('completed')
    expect(await done(club.billing.payments.retrieve(club.scope, present(payment_id)))).toMatchObject({
      status: 'confirmed',
      amount: '10 USDC',
    })
    expect(await club.subscription(present(subscription_id))).toMatchObject({ status: 'active' })
    expect(await club.exceptionsOf(id)).toEqual([])
  })
})
