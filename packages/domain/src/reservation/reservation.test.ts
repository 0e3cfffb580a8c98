import { asText } from '../shared/text.ts'
import { scenario } from '../testing/scenario.ts'
import { Reservation, type ReservationCommand, type ReservationEvent } from './index.ts'

const { given } = scenario(Reservation.decider)
const ada = asText('cus_ada')
const bob = asText('cus_bob')
const eve = asText('cus_eve')

const claim: ReservationCommand = { type: 'Claim', owner: ada }
const takeOver: ReservationCommand = { type: 'TakeOver', owner: bob, generation: 1 }
const release: ReservationCommand = { type: 'Release', owner: ada, generation: 1 }
const claimed: ReservationEvent = { type: 'Claimed', data: { owner: ada } }
const takenOver: ReservationEvent = { type: 'TakenOver', data: { owner: bob, from: ada } }
const released: ReservationEvent = { type: 'Released', data: { owner: ada } }

describe('claiming a value', () => {
  it('gives a free value to the first claimant', () => given([]).when(claim).then([claimed]))
  it('records nothing when the owner claims the value again', () => given([claimed]).when(claim).then([]))
  it('rejects a claim while another holds the value', () =>
    given([claimed]).when({ type: 'Claim', owner: bob }).rejects({ _tag: 'HeldBy', owner: ada, generation: 1 }))
  it('accepts a claim after a release', () => given([claimed, released]).when(claim).then([claimed]))
})

describe('taking a value over', () => {
  it('passes the value from the expected holder to the new one', () =>
    given([claimed]).when(takeOver).then([takenOver]))
  it('renews the hold when the holder takes its own value over', () =>
    given([claimed])
      .when({ ...takeOver, owner: ada })
      .then([{ type: 'TakenOver', data: { owner: ada, from: ada } }]))
  it('records nothing when the takeover is repeated', () => given([claimed, takenOver]).when(takeOver).then([]))
  it('rejects a takeover when another has become the holder', () =>
    given([claimed, takenOver])
      .when({ ...takeOver, owner: eve })
      .rejects({ _tag: 'HeldBy', owner: bob, generation: 2 }))
  it('rejects a takeover when the holder has renewed its hold', () =>
    given([claimed, { type: 'TakenOver', data: { owner: ada, from: ada } }])
      .when(takeOver)
      .rejects({ _tag: 'HeldBy', owner: ada, generation: 2 }))
  it('rejects a takeover when nobody holds the value', () => given([]).when(takeOver).rejects({ _tag: 'NotHeld' }))
})

describe('releasing a value', () => {
  it('frees a released value', () => given([claimed]).when(release).then([released]))
  it('records nothing when the value is already free', () => given([claimed, released]).when(release).then([]))
  it('rejects a release by a former holder', () =>
    given([claimed, takenOver]).when(release).rejects({ _tag: 'HeldBy', owner: bob, generation: 2 }))
  it('rejects a release of an earlier hold after the owner claimed the value again', () =>
    given([claimed, released, claimed]).when(release).rejects({ _tag: 'HeldBy', owner: ada, generation: 3 }))
})
