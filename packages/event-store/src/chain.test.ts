import { createHash } from 'node:crypto'
import type { JsonObject } from '@quittance/domain'
import canonicalize from 'canonicalize'
import * as fc from 'fast-check'
import { brokenLink, emptyDigest, eventHash, hashedText, nextDigest, previousHashOf, sealEvent } from './chain.ts'
import { sampleEvent } from './conformance/sample.ts'
import { type Head, noEvents } from './port.ts'

const sha256 = (...parts: ReadonlyArray<string | Buffer>): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

const data: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.string({ unit: 'binary' }),
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 3 }),
  ),
  { noNullPrototype: true },
)
const name = fc.string({ unit: 'binary' })

describe('the hash chain of a stream', () => {
  it("an event's hash covers the previous hash and the whole canonical text", () =>
    fc.assert(
      fc.property(name, name, data, fc.nat(), (id, stream, body, revision) => {
        const event = sampleEvent(id, body)
        const head = { revision: BigInt(revision) - 1n, hash: sha256('before') }
        const sealed = sealEvent(head, stream, event)
        const { type, schemaVersion, context } = event
        const metadata = { ...context, previousHash: head.hash }
        const whole = canonicalize({ id, stream, revision, type, schemaVersion, data: body, metadata }) ?? ''
        expect(hashedText(sealed)).toBe(whole)
        expect(sealed.hash).toBe(sha256(Buffer.from(head.hash, 'hex'), whole))
      }),
    ))

  it('a chain is whole where each event follows its predecessor', () => {
    const first = sealEvent(noEvents, 'sample-1', sampleEvent('a'))
    const second = sealEvent({ revision: 0n, hash: first.hash }, 'sample-1', sampleEvent('b'))
    expect(brokenLink(noEvents.hash, first)).toBe(null)
    expect(brokenLink(first.hash, second)).toBe(null)
    expect(previousHashOf(second)).toBe(first.hash)
  })

  it('a chain breaks where an event follows another one, or differs from what was hashed', () => {
    const first = sealEvent(noEvents, 'sample-1', sampleEvent('a'))
    const elsewhere = sha256('elsewhere')
    expect(brokenLink(elsewhere, first)).toBe('does not follow the event before it')
    expect(brokenLink(noEvents.hash, { ...first, type: 'Other' })).toBe('its hash does not match its content')
  })

  it('a chain breaks where an event names its predecessor but was hashed after another', () => {
    const first = sealEvent(noEvents, 'sample-1', sampleEvent('a'))
    const rehashed = { ...first, hash: eventHash(sha256('elsewhere'), first) }
    expect(brokenLink(noEvents.hash, rehashed)).toBe('its hash does not match its content')
  })

  it('a chain accepts events larger than all before them', () => {
    const text = '😀é'.repeat(100_000)
    const { hash, ...sealed } = sealEvent(noEvents, 'sample-1', sampleEvent('a', { text }))
    expect(hash).toBe(sha256(Buffer.alloc(32), hashedText(sealed)))
  })
})

describe('the worked example of the documentation', () => {
  it("the documentation's example has the printed hashes and digest", () => {
    const context = { ...sampleEvent('').context, commandId: 'c-1', correlationId: 'c-1' }
    const seal = (head: Head, id: string, type: string, data: JsonObject) =>
      sealEvent(head, 'payment-1', { id, type, schemaVersion: 1, data, context })
    const failedAt = 1_790_000_000_000
    const first = seal(noEvents, 'e-1', 'PaymentFailed', { reason: 'transaction_dead', failedAt })
    const second = seal({ revision: 0n, hash: first.hash }, 'e-2', 'PaymentNoted', { note: 'ü' })
    expect([first.hash, second.hash, nextDigest(nextDigest(emptyDigest, first.hash), second.hash)]).toEqual([
      '0dca498a560e362b26b302e50a32c27e1cc677f5847074f378f62b7d9f282a14',
      'bdad8b0e007311173dbb0847960e4b886cb7d52d4caa414a354a398e6493d27a',
      '2d8eba1232d7ad362485bd918a0d4615f82d0d80d46f9cecd581b162c87247a4',
    ])
  })
})

describe('the data of an event', () => {
  const sealed = (length: number) => sealEvent(noEvents, 'sample-1', sampleEvent('a', { text: 'x'.repeat(length) }))
  const quotes = '{"text":""}'.length

  it("an event's data holds at most 2^20 code units", () => {
    expect(sealed(1_048_576 - quotes).data.length).toBe(1_048_576)
    expect(() => sealed(1_048_577 - quotes)).toThrow(new RangeError('The data of SampleTaken is too long: 1048577'))
  })
})

describe('the digest of the log', () => {
  it("the log's digest covers the previous digest and each event's hash", () => {
    const [first, second] = [sha256('1'), sha256('2')]
    const once = sha256(Buffer.alloc(32), Buffer.from(first, 'hex'))
    expect(nextDigest(emptyDigest, first)).toBe(once)
    expect(nextDigest(once, second)).toBe(sha256(Buffer.from(once, 'hex'), Buffer.from(second, 'hex')))
  })
})
