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
  it('gives a free value to who asks first', () => given([]).when(claim).then([claimed]))
  it('records nothing when its owner claims it again', () => given([claimed]).when(claim).then([]))
  it('is rejected while another holds it', () =>
    given([claimed]).when({ type: 'Claim', owner: bob }).rejects({ _tag: 'HeldBy', owner: ada, generation: 1 }))
  it('is possible again after a release', () => given([claimed, released]).when(claim).then([claimed]))
})

describe('taking a value over', () => {
  it('passes it from the holder that was seen', () => given([claimed]).when(takeOver).then([takenOver]))
  it('holds it anew, from its own holder', () =>
    given([claimed])
      .when({ ...takeOver, owner: ada })
      .then([{ type: 'TakenOver', data: { owner: ada, from: ada } }]))
  it('records nothing when it was taken over already', () => given([claimed, takenOver]).when(takeOver).then([]))
  it('is rejected when another has become the holder', () =>
    given([claimed, takenOver])
      .when({ ...takeOver, owner: eve })
      .rejects({ _tag: 'HeldBy', owner: bob, generation: 2 }))
  it('is rejected when its holder holds it anew', () =>
    given([claimed, { type: 'TakenOver', data: { owner: ada, from: ada } }])
      .when(takeOver)
      .rejects({ _tag: 'HeldBy', owner: ada, generation: 2 }))
  it('is rejected when nobody holds it', () => given([]).when(takeOver).rejects({ _tag: 'NotHeld' }))
})

describe('releasing a value', () => {
  it('frees it', () => given([claimed]).when(release).then([released]))
  it('records nothing when it is free', () => given([claimed, released]).when(release).then([]))
  it('is rejected for one who no longer holds it', () =>
    given([claimed, takenOver]).when(release).rejects({ _tag: 'HeldBy', owner: bob, generation: 2 }))
  it('is rejected for one who holds it anew since', () =>
    given([claimed, released, claimed]).when(release).rejects({ _tag: 'HeldBy', owner: ada, generation: 3 }))
})
