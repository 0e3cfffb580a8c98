import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { orNull } from './branded.ts'
import { eventFormat } from './event-format.ts'
import { fact, facts } from './fact.ts'
import { strict } from './strict.ts'
import { Stroops, stroops } from './stroops.ts'
import { Count, count } from './units.ts'

const Event = facts([
  fact('Paid', strict({ amount: Stroops, note: orNull(t.string) }), 3),
  fact('Closed', strict({ times: Count })),
])
const format = eventFormat(Event, [
  // First a number of whole units, then stroops without a note.
  {
    type: 'Paid',
    schemaVersion: 1,
    upcast: ({ units }) => ({ type: 'Paid', schemaVersion: 2, data: { amount: `${units}0000000` } }),
  },
  {
    type: 'Paid',
    schemaVersion: 2,
    upcast: (data) => ({ type: 'Paid', schemaVersion: 3, data: { ...data, note: null } }),
  },
  { type: 'Ended', schemaVersion: 1, upcast: () => ({ type: 'Closed', schemaVersion: 1, data: { times: 1 } }) },
])

describe('writing an event', () => {
  it('writes JSON with amounts as digits, at the current schema version', () =>
    expect(format.encodeEvent({ type: 'Paid', data: { amount: stroops(5n), note: null } })).toEqual({
      type: 'Paid',
      schemaVersion: 3,
      data: { amount: '5', note: null },
    }))
  it('lists its event types', () => expect(format.types).toEqual(['Paid', 'Closed']))
})

describe('reading an event', () => {
  it('reads back what was written', () =>
    expect(format.decodeEvent({ type: 'Paid', schemaVersion: 3, data: { amount: '5', note: 'x' } })).toEqual(
      E.right({ type: 'Paid', data: { amount: 5n, note: 'x' } }),
    ))
  it('drops unknown fields', () =>
    expect(format.decodeEvent({ type: 'Closed', schemaVersion: 1, data: { times: 2, later: true } })).toEqual(
      E.right({ type: 'Closed', data: { times: count(2) } }),
    ))
  it('upgrades an old shape through every later version', () =>
    expect(format.decodeEvent({ type: 'Paid', schemaVersion: 1, data: { units: 7 } })).toEqual(
      E.right({ type: 'Paid', data: { amount: 70_000_000n, note: null } }),
    ))
  it('upgrades an old type to the type that replaced it', () =>
    expect(format.decodeEvent({ type: 'Ended', schemaVersion: 1, data: {} })).toEqual(
      E.right({ type: 'Closed', data: { times: 1 } }),
    ))
  it.each([
    { type: 'Paid', schemaVersion: 4, data: {} },
    { type: 'Ended', schemaVersion: 2, data: {} },
    { type: 'Unheard', schemaVersion: 1, data: {} },
    { type: 'toString', schemaVersion: 1, data: {} },
  ])('rejects an unknown type or version: $type $schemaVersion', (encoded) =>
    expect(format.decodeEvent(encoded)).toEqual(
      E.left({
        _tag: 'MalformedEvent',
        type: encoded.type,
        schemaVersion: encoded.schemaVersion,
        problem: 'unknown type or schema version',
      }),
    ),
  )
  it('names every wrong field without its value', () =>
    expect(format.decodeEvent({ type: 'Paid', schemaVersion: 3, data: { amount: 'secret' } })).toEqual(
      E.left({
        _tag: 'MalformedEvent',
        type: 'Paid',
        schemaVersion: 3,
        problem: 'amount is string; note is undefined',
      }),
    ))
  it('rejects a float where a count belongs', () =>
    expect(E.isLeft(format.decodeEvent({ type: 'Closed', schemaVersion: 1, data: { times: 1.5 } }))).toBe(true))
  it('decodes one object once where folds share it, and another one again', () => {
    const encoded = { type: 'Closed', schemaVersion: 1, data: { times: 2 } }
    const decoded = format.decodeOnce(encoded)
    expect(decoded).toEqual(E.right({ type: 'Closed', data: { times: count(2) } }))
    expect(format.decodeOnce(encoded)).toBe(decoded)
    expect(format.decodeOnce({ ...encoded, data: { times: 3 } })).toEqual(
      E.right({ type: 'Closed', data: { times: count(3) } }),
    )
  })
})
