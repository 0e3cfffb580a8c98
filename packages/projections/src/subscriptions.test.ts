import { dueAt, hourMs, Subscription, SubscriptionId, stopAt, stuckFor, unixMs } from '@quittance/domain'
import { exampleId, payerAccount } from '@quittance/domain/testing'
import { anyLife, live } from '@quittance/domain/testing/any-subscription-life'
import { begun, invoiceOf, monthly, on } from '@quittance/domain/testing/subscription-examples'
import { type Life, lifeOf } from '@quittance/domain/testing/subscription-life'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { foldRow } from './read-model.ts'
import { inlineProjections, readModels } from './read-models.ts'
import { subscriptions } from './subscriptions.ts'
import { openLog } from './testing/log.ts'

const id = exampleId(SubscriptionId, 1)
const scope = { merchantId: 'mer_1', environment: 'testnet' } as const

/** Writes what a subscription has lived, and opens the read models. */
const written = async ({ history }: Life) => {
  const log = openLog(inlineProjections)
  await log.append(`${Subscription.category}-${id}`, history.map(Subscription.events.encodeEvent), { occurredAt: 7 })
  const { events } = await log.read(`${Subscription.category}-${id}`)
  return { log, events, models: readModels(log.store.reader) }
}

describe('the read model of subscriptions', () => {
  it('says what the stream says, and when something is due, whatever was lived', () =>
    fc.assert(
      fc.asyncProperty(anyLife, async (script) => {
        const life = live(script)
        const { log, events, models } = await written(life)
        const row = models.subscriptions.withId(id)?.row
        expect(O.some(row)).toEqual(foldRow(subscriptions, events))
        const { attempts: _, ...known } = life.state
        expect(row).toMatchObject(known)
        expect(models.subscriptions.nextDue('testnet', 0)).toBe(dueAt(life.state))
        log.store.close()
      }),
      { numRuns: 60 },
    ))

  it('lists by customer and status, and finds by customer and product', async () => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on('2027-03-05'), () => 'balance_too_low')
    const { log, models } = await written(life)
    const { customerId } = life.state.details
    const found = (status: string) =>
      models.subscriptions.page({ ...scope, listedUnder: customerId, status, limit: 10 }).rows.map((row) => row.id)
    expect([found('past_due'), found('active')]).toEqual([[id], []])
    expect(models.subscriptions.withKeyUnder(scope, customerId, monthly.productId).map((row) => row.id)).toEqual([id])
    log.store.close()
  })

  it('does not grow with the number of periods', async () => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on('2037-01-31'))
    const { log, models } = await written(life)
    expect(life.state.attempts).toHaveLength(120)
    expect(models.subscriptions.withId(id)?.row.attempts).toEqual(life.state.attempts.slice(-1))
    log.store.close()
  })
})

describe('the to-do list of who has to look at subscriptions', () => {
  const listed = async (life: Life): Promise<number> => {
    const { log, models } = await written(life)
    const due = [...models.subscriptionAlarms.due('testnet', Number.MAX_SAFE_INTEGER)]
    log.store.close()
    return due.length
  }
  const stuckFrom = (day: string, ends: 'unknown' | 'no_rate'): Life => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on(day), () => ends)
    return life
  }

  it('holds whatever stands, whatever was lived', () =>
    fc.assert(
      fc.asyncProperty(anyLife, fc.constantFrom('unknown' as const, 'no_rate' as const), async (script, ends) => {
        const life = live(script)
        life.pass(unixMs(life.now + 33 * 24 * hourMs), () => ends)
        const stands = stuckFor(life.state) !== null || stopAt(life.state, life.now) !== null
        if (stands) expect(await listed(life)).toBe(1)
      }),
      { numRuns: 60 },
    ))

  it('holds nothing that has not alarmed, and nothing once the period is paid or it is canceled', async () => {
    expect(await listed(stuckFrom('2027-02-28T12:30:00', 'no_rate'))).toBe(0)
    expect(await listed(stuckFrom('2027-03-02', 'unknown'))).toBe(1)
    const paid = stuckFrom('2027-03-02', 'no_rate')
    expect(await listed(paid)).toBe(1)
    paid.pass(on('2027-03-03'))
    expect([paid.state.covered.n, await listed(paid)]).toEqual([1, 0])
    const canceled = stuckFrom('2027-03-02', 'no_rate')
    canceled.give({ type: 'Cancel', when: 'now', at: canceled.now })
    expect(await listed(canceled)).toBe(0)
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
    const named = (name: string) => models.subscriptionNames.withId(name)?.row
    const row = { subscriptionId: id, payer: null, since: 7 }
    expect(named(mandateId)).toEqual({ ...row, kind: 'mandate', payer: payerAccount })
    expect(named(requested.authorizationId)).toEqual({ ...row, kind: 'authorization' })
    expect(named(invoiceOf(1))).toEqual({ ...row, kind: 'invoice' })
    expect(models.subscriptionNames.withKey(payerAccount).map((found) => found.id)).toEqual([mandateId])
    expect(models.subscriptionNames.all()).toHaveLength(3)
    log.store.close()
  })
})
