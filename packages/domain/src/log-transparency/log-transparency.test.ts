import { asText } from '../shared/text.ts'
import { unixMs } from '../shared/units.ts'
import { start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { keyCount, LogTransparency, logInUse } from './index.ts'

const { given } = scenario(LogTransparency.decider)
const began = {
  origin: asText('log.example/a'),
  vkey: asText('log.example/a+1+A'),
  begunAt: unixMs(start),
  reason: null,
}
const again = {
  origin: asText('log.example/b'),
  vkey: asText('log.example/b+2+B'),
  begunAt: unixMs(start + 1),
  reason: asText('a backup was restored'),
}
const rotation = { vkey: asText('log.example/a+3+C'), rotatedAt: unixMs(start + 2), reason: asText('a new custodian') }
const begin = { type: 'BeginTransparencyLog' as const, ...began }
const beginAgain = { type: 'BeginTransparencyLog' as const, ...again }
const rotate = { type: 'RotateTransparencyKey' as const, ...rotation }
const begun = { type: 'TransparencyLogBegun' as const, data: began }
const begunAgain = { type: 'TransparencyLogBegun' as const, data: again }
const rotated = { type: 'TransparencyKeyRotated' as const, data: rotation }

describe('a transparency log', () => {
  it('begins with a name and a key', () => given([]).when(begin).then([begun]))
  it('begins once', () =>
    given([begun])
      .when({ ...begin, origin: asText('log.example/c') })
      .then([]))
  it('begins again under another name, with a reason', () => given([begun]).when(beginAgain).then([begunAgain]))
  it('never begins again under a name that it had', () => given([begun, begunAgain]).when(beginAgain).then([]))
  it('signs with another key', () => given([begun]).when(rotate).then([rotated]))
  it('records nothing when it signs with that key already', () => given([begun, rotated]).when(rotate).then([]))
  it('has no key to rotate before it begins', () => given([]).when(rotate).rejects({ _tag: 'NoTransparencyLog' }))
  it('keeps the keys of each name', () => {
    const { evolve, initial } = LogTransparency.decider
    const state = [begun, rotated, begunAgain].reduce(evolve, initial)
    expect(state).toEqual({
      logs: [
        { origin: began.origin, vkeys: [began.vkey, rotation.vkey], begunAt: began.begunAt },
        { origin: again.origin, vkeys: [again.vkey], begunAt: again.begunAt },
      ],
    })
    expect({ count: keyCount(state), inUse: logInUse(state)?.origin, before: logInUse(initial) }).toEqual({
      count: 3,
      inUse: again.origin,
      before: null,
    })
  })
})
