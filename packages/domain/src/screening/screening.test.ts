import { asText } from '../shared/text.ts'
import { start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { type HoldAction, Holds, type ScreeningCommand, type ScreeningEvent, standingOf } from './index.ts'

const { given } = scenario(Holds.decider)
const hold = {
  subject: asText('rf_1'),
  merchantId: asText('mer_1'),
  environment: 'mainnet',
  address: asText('GLISTED'),
  at: start,
} as const
const held: ScreeningEvent = { type: 'MoneyHeld', data: hold }
const decision = (action: HoldAction) => ({
  subject: hold.subject,
  action,
  by: asText('Ada'),
  reason: asText('a namesake'),
  at: start,
})
const decided = (action: HoldAction): ScreeningEvent => ({ type: 'HoldDecided', data: decision(action) })
const decide = (action: HoldAction): ScreeningCommand => ({ type: 'DecideHold', ...decision(action) })
const standing = (...events: ReadonlyArray<ScreeningEvent>) =>
  standingOf(events.reduce(Holds.decider.evolve, Holds.decider.initial), hold.subject)

describe('money that a list names', () => {
  it('is held once, until the operator decides', () => {
    given([])
      .when({ type: 'HoldMoney', ...hold })
      .then([held])
    given([held])
      .when({ type: 'HoldMoney', ...hold })
      .then([])
    expect(standing()).toBe('unknown')
    expect(standing(held)).toBe('held')
  })

  it('is not held again after a decision', () => {
    given([held, decided('accept')])
      .when({ type: 'HoldMoney', ...hold })
      .then([])
    given([held, decided('return')])
      .when({ type: 'HoldMoney', ...hold })
      .then([])
  })

  it.each([
    ['accept', 'accepted'],
    ['return', 'refused'],
    ['keep', 'held'],
  ] as const)('stands as the operator decides: %s', (action, expected) => {
    given([held])
      .when(decide(action))
      .then([decided(action)])
    given([held, decided(action)])
      .when(decide(action))
      .then([])
    expect(standing(held, decided(action))).toBe(expected)
  })

  it('can be decided after it was kept, and never after it was let through or refused', () => {
    given([held, decided('keep')])
      .when(decide('return'))
      .then([decided('return')])
    given([held, decided('accept')])
      .when(decide('return'))
      .then([])
    given([held, decided('return')])
      .when(decide('accept'))
      .then([])
  })
})
