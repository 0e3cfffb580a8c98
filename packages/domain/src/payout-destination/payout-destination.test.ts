import { unixMs } from '../shared/units.ts'
import { start } from '../testing/examples.ts'
import { exampleDestination, muxedDestination } from '../testing/payout-examples.ts'
import { scenario } from '../testing/scenario.ts'
import { PayoutDestination, type PayoutDestinationCommand, type PayoutDestinationEvent } from './index.ts'

const { given } = scenario(PayoutDestination.decider)
const register: PayoutDestinationCommand = { type: 'RegisterPayoutDestination', ...exampleDestination }
const remove: PayoutDestinationCommand = { type: 'RemovePayoutDestination', at: start }
const prove: PayoutDestinationCommand = { type: 'ProvePayoutDestination', at: start }
const proven: PayoutDestinationEvent = { type: 'PayoutDestinationProven', data: { provenAt: start } }
const registered: PayoutDestinationEvent = { type: 'PayoutDestinationRegistered', data: exampleDestination }
const removed: PayoutDestinationEvent = { type: 'PayoutDestinationRemoved', data: { removedAt: start } }

describe('a payout destination', () => {
  it('registers a payout destination once', () => {
    given([]).when(register).then([registered])
    given([registered]).when(register).then([])
  })
  it('rejects another payout destination under the same id', () =>
    given([registered])
      .when({ type: 'RegisterPayoutDestination', ...muxedDestination })
      .rejects({ _tag: 'PayoutDestinationAlreadyExists' }))
  it('proves a payout destination once', () => {
    given([registered]).when(prove).then([proven])
    given([registered, proven])
      .when({ ...prove, at: unixMs(start + 1) })
      .then([])
  })
  it('rejects proving a removed payout destination', () =>
    given([registered, removed]).when(prove).rejects({ _tag: 'PayoutDestinationNotFound' }))
  it('removes a payout destination once, for good', () => {
    given([registered]).when(remove).then([removed])
    given([registered, removed]).when(remove).then([])
    given([registered, removed]).when(register).then([])
  })
  it('rejects removing an unknown payout destination', () =>
    given([]).when(remove).rejects({ _tag: 'PayoutDestinationNotFound' }))
})
