import { stroops } from '../shared/stroops.ts'
import { exampleCredit } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Exception, type ExceptionDetails } from './index.ts'

const { given } = scenario(Exception.decider)
const details: ExceptionDetails = { kind: 'unmatched', ...exampleCredit, checkoutId: null, paymentId: null }

describe('opening an exception', () => {
  it('records money that fits nowhere', () =>
    given([])
      .when({ type: 'OpenException', ...details })
      .then([{ type: 'ExceptionOpened', data: details }]))
  it('records nothing when it is open already', () =>
    given([{ type: 'ExceptionOpened', data: details }])
      .when({ type: 'OpenException', ...details })
      .then([]))
  it('is rejected when the id names another exception', () =>
    given([{ type: 'ExceptionOpened', data: details }])
      .when({ type: 'OpenException', ...details, amount: stroops(1n) })
      .rejects({ _tag: 'ExceptionAlreadyOpen', details }))
})
