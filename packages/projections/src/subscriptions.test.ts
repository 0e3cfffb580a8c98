import { contractOf, payerAccount } from '@quittance/domain/testing'
import { begun, inLedgerAt, invoiceOf, mandateOf, monthly, on } from '@quittance/domain/testing/subscription-examples'
import { type Life, lifeOf } from '@quittance/domain/testing/subscription-life'

import { alarmsOf, id, written } from './testing/subscriptions.ts'

const scope = { merchantId: 'mer_1', environment: 'testnet' } as const

describe('the read model of subscriptions', () => {
  it('lists by customer and status, and finds by customer and product', async () => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on('2027-03-05'), () => 'balance_too_low')
    const { log, models } = await written(life)
    const { customerId } = life.state.details
    const found = async (status: string) => {
      const { rows } = await models.subscriptions.page({ ...scope, listedUnder: customerId, status, limit: 10 })
      return rows.map((row) => row.id)
    }
    expect([await found('past_due'), await found('active')]).toEqual([[id], []])
    const keyed = await models.subscriptions.withKeyUnder(scope, customerId, monthly.productId)
    expect(keyed.map((row) => row.id)).toEqual([id])
    log.store.close()
  })

  it('does not grow with the number of periods', async () => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on('2037-01-31'))
    const { log, models } = await written(life)
    expect(life.state.attempts).toHaveLength(120)
    expect((await models.subscriptions.withId(id))?.row.attempts).toEqual(life.state.attempts.slice(-1))
    log.store.close()
  })
})

describe('the to-do list of who has to look at subscriptions', () => {
  const stuckFrom = (day: string, ends: 'unknown' | 'no_rate'): Life => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on(day), () => ends)
    return life
  }

  it('holds nothing that has not alarmed, and nothing once the period is paid or it is canceled', async () => {
    expect(await alarmsOf(stuckFrom('2027-02-28T12:30:00', 'no_rate'))).toBe(0)
    expect(await alarmsOf(stuckFrom('2027-03-02', 'unknown'))).toBe(1)
    const paid = stuckFrom('2027-03-02', 'no_rate')
    expect(await alarmsOf(paid)).toBe(1)
    paid.pass(on('2027-03-03'))
    expect([paid.state.covered.n, await alarmsOf(paid)]).toEqual([1, 0])
    const canceled = stuckFrom('2027-03-02', 'no_rate')
    canceled.give({ type: 'Cancel', when: 'now', at: canceled.now })
    expect(await alarmsOf(canceled)).toBe(0)
  })
})

describe('the names of subscriptions', () => {
  it('are mandates, what was asked for, and invoices; mandates are found by who pays', async () => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on('2027-03-16'), () => 'no_trustline')
    const { log, models } = await written(life)
    const { mandate, requested } = life.state.authorization
    const { mandateId } = mandate
    if (requested === null) throw new Error('nothing was asked for')
    const named = async (name: string) => (await models.subscriptionNames.withId(name))?.row
    const row = { subscriptionId: id, payer: null, since: 7 }
    expect(await named(mandateId)).toEqual({ ...row, kind: 'mandate', payer: payerAccount })
    expect(await named(requested.authorizationId)).toEqual({ ...row, kind: 'authorization' })
    expect(await named(invoiceOf(1))).toEqual({ ...row, kind: 'invoice' })
    expect((await models.subscriptionNames.withKey(payerAccount)).map((found) => found.id)).toEqual([mandateId])
    expect(await models.subscriptionNames.all()).toHaveLength(3)
    log.store.close()
  })

  it('name each contract once that a mandate was made or offered in', async () => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on('2027-03-16'), () => 'no_trustline')
    const { mandate, requested } = life.state.authorization
    if (requested === null) throw new Error('nothing was asked for')
    const { authorizationId } = requested
    const moved = { ...mandateOf(501, monthly, on('2027-02-28')), contract: contractOf(7) }
    life.give({ type: 'OfferAuthorization', authorizationId, contract: contractOf(8), at: life.now })
    life.give({ type: 'ReplaceMandate', authorizationId, mandate: moved, ...inLedgerAt(life.now, 2) })
    const { log, models } = await written(life)
    const contracts = (await models.mandateContracts.all()).map(({ environment, row }) => [environment, row.contract])
    expect(contracts).toEqual([mandate.contract, contractOf(7), contractOf(8)].sort().map((each) => ['testnet', each]))
    log.store.close()
  })
})
