import { start } from '../testing/examples.ts'
import { exampleDestination, muxedDestination } from '../testing/payout-examples.ts'
import { scenario } from '../testing/scenario.ts'
import { PayoutDestination, type PayoutDestinationCommand, type PayoutDestinationEvent } from './index.ts'

const { given } = scenario(PayoutDestination.decider)
const register: PayoutDestinationCommand = { type: 'RegisterPayoutDestination', ...exampleDestination }
const remove: PayoutDestinationCommand = { type: 'RemovePayoutDestination', at: start }
const registered: PayoutDestinationEvent = { type: 'PayoutDestinationRegistered', data: exampleDestination }
const removed: PayoutDestinationEvent = { type: 'PayoutDestinationRemoved', data: { removedAt: start } }

describe('a payout destination', () => {
  it('is registered once', () => {
    given([]).when(register).then([registered])
    given([registered]).when(register).then([])
  })
  it('never becomes another under its id', () =>
    given([registered])
      .when({ type: 'RegisterPayoutDestination', ...muxedDestination })
      .rejects({ _tag: 'PayoutDestinationAlreadyExists' }))
  it('is removed once, and stays removed', () => {
    given([registered]).when(remove).then([removed])
    given([registered, removed]).when(remove).then([])
    given([registered, removed]).when(register).then([])
  })
  it('that nobody has registered is not found', () =>
    given([]).when(remove).rejects({ _tag: 'PayoutDestinationNotFound' }))
})
