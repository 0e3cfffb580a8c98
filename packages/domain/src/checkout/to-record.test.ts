import { ExceptionId } from '../shared/ids.ts'
import { accepted, created, creditOf, quoted, submitted } from '../testing/checkout-examples.ts'
import { exampleId } from '../testing/examples.ts'
import { Checkout, type CheckoutEvent, type CheckoutState, toRecord } from './index.ts'

const flood = Array.from({ length: 12 }, (_, index) => creditOf(1n, index + 10))
const stateAfter = (...events: ReadonlyArray<CheckoutEvent>): Exclude<CheckoutState, { readonly status: 'absent' }> => {
  const state = [created, quoted, ...events].reduce(Checkout.decider.evolve, Checkout.decider.initial)
  if (state.status === 'absent') throw new Error('it was created')
  return state
}
const summed = toRecord(stateAfter(), flood)

describe('what of a ledger a session is to record', () => {
  it('is one sum of a sender who pays often', () =>
    expect(summed).toMatchObject([{ amount: 12n, sum: { count: 12, largest: 1n, senders: 'one' } }]))

  it('is nothing once a sum of that ledger is recorded', () =>
    expect(toRecord(stateAfter(...summed.map((each) => accepted(each))), flood)).toEqual([]))

  it('is what is left if some payments of it were recorded singly', () =>
    expect(toRecord(stateAfter(...flood.slice(0, 3).map((each) => accepted(each))), flood)).toMatchObject([
      { amount: 9n, sum: { count: 9 } },
    ]))

  it('is not changed by a sum that an operator has applied', () => {
    const applied = summed.map((each) => ({ ...each, exceptionId: exampleId(ExceptionId, 1) }))
    const own = flood.slice(1)
    expect(toRecord(stateAfter(...applied.map((each) => accepted(each))), own)).toMatchObject([{ sum: { count: 11 } }])
  })

  it('keeps the transaction that the session has announced apart', () =>
    expect(toRecord(stateAfter(submitted), [creditOf(5n), ...flood])).toMatchObject([
      { amount: 5n, transactionHash: creditOf(5n).transactionHash },
      { amount: 12n },
    ]))
})
