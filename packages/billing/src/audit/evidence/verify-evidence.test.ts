import { keyIdOf, parseNote, printNote, printVerifierKey } from '@quittance/transparency'
import { signedBy } from '@quittance/transparency/testing/test-key'
import * as E from 'fp-ts/lib/Either.js'
import { evidenceSample, logKey, strangerKey, witnessKey } from '../../testing/evidence-sample.ts'
import { done, present } from '../../testing/outcomes.ts'
import { type Evidence, parseEvidence, printEvidence } from './format.ts'
import { verifyEvidence } from './verify-evidence.ts'

const policy = { logs: [logKey.key], witnesses: [witnessKey.key], quorum: 1 }
let sample: Evidence
beforeAll(async () => {
  sample = await evidenceSample()
})

const problemsOf = (changed: Partial<Evidence>, by = policy) => {
  const verified = verifyEvidence(printEvidence({ ...sample, ...changed }), by)
  return E.isLeft(verified) ? verified.left : []
}
const [customer, payment] = ['customer-cus_1', 'payment-pay_1']
const streamsWith = (stream: string, change: (each: Evidence['streams'][number]) => Evidence['streams'][number]) =>
  sample.streams.map((each) => (each.stream === stream ? change(each) : each))

describe('verifying evidence', () => {
  it('says what it shows', () => {
    expect(verifyEvidence(printEvidence(sample), policy)).toEqual(
      E.right({
        about: { kind: 'payment', id: 'pay_1' },
        origin: 'log.example/a',
        logSize: 7n,
        streams: 3,
        events: 5,
        withheld: 1,
        cosigned: [
          { size: 3n, witness: 'witness.example/w', at: 1_795_392_000n },
          { size: 7n, witness: 'witness.example/w', at: 1_795_392_000n },
        ],
        anchors: [{ ...present(sample.anchors[0]), logSize: 3n, ledger: null }],
      }),
    )
  })

  it('survives print and parse', () => {
    expect(parseEvidence(printEvidence(sample))).toEqual(E.right(sample))
  })

  it('refuses a byte that was changed', () => {
    const bytes = Buffer.from(printEvidence(sample))
    const passed: Array<number> = []
    // The long suite goes through all places.
    for (let at = 0; at < bytes.length; at += 37) {
      const changed = Buffer.from(bytes)
      changed[at] = (bytes[at] ?? 0) ^ 1
      if (E.isRight(verifyEvidence(changed.toString(), policy))) passed.push(at)
    }
    expect(passed).toEqual([])
  })

  it('refuses what is no evidence', () => {
    const problem = (text: string) => verifyEvidence(text, policy)
    const malformed = (of: string) => E.left([{ _tag: 'MalformedEvidence', problem: of }])
    expect(problem('{')).toEqual(malformed('not_json'))
    expect(problem('{}')).toEqual(malformed('other_shape'))
    const text = printEvidence(sample)
    expect(problem(` ${text}`)).toEqual(malformed('not_canonical'))
    expect(problem(text.replace('{"about"', '{"aa":1,"about"'))).toEqual(malformed('not_canonical'))
    expect(problem(text.replace('"one":1', '"one":1.5'))).toEqual(malformed('other_shape'))
    expect(problem(text.replace('Zoë', '\\ud800'))).toEqual(malformed('not_canonical'))
  })

  it('refuses the key of somebody else, whatever the bundle says of its keys', async () => {
    const unknown = [{ _tag: 'UnknownLogKey', name: 'log.example/a' }]
    expect(problemsOf({}, { ...policy, logs: [strangerKey.key] })).toEqual(unknown)
    const resigned = await Promise.all(
      sample.checkpoints.map(async ({ note, consistency }) => {
        const { text, signatures } = await done(async () => parseNote(note))
        const others = signatures.filter(({ keyId }) => keyId !== keyIdOf(logKey.key))
        return { consistency, note: printNote({ text, signatures: [await signedBy(strangerKey, text), ...others] }) }
      }),
    )
    const keys = [strangerKey, witnessKey].map(({ key }) => printVerifierKey(key))
    expect(problemsOf({ checkpoints: resigned, keys })).toEqual(unknown)
  })

  it('names keys that are none, come twice or signed nothing, and signatures without a key', () => {
    const [log = '', witness = ''] = sample.keys
    expect(problemsOf({ keys: [log, witness, 'x'] })).toEqual([{ _tag: 'BadKey', key: 'x' }])
    expect(problemsOf({ keys: [log, witness, log] })).toEqual([{ _tag: 'BadKey', key: log }])
    const idle = printVerifierKey(strangerKey.key)
    expect(problemsOf({ keys: [log, witness, idle] })).toEqual([{ _tag: 'IdleKey', name: 'log.example/a' }])
    expect(problemsOf({ keys: [log] }, { ...policy, witnesses: [], quorum: 0 })).toEqual([
      { _tag: 'StraySignature', place: 0, keyName: 'witness.example/w' },
      { _tag: 'StraySignature', place: 1, keyName: 'witness.example/w' },
    ])
  })

  it('counts only witnesses that the auditor knows, for a checkpoint that covers every event', () => {
    const few = [{ _tag: 'TooFewWitnesses', wanted: 1, cosigned: [] }]
    expect(problemsOf({}, { ...policy, witnesses: [] })).toEqual(few)
    const [older, last] = sample.checkpoints
    const lonely = present(last).note.split('\n').slice(0, -2).join('\n')
    expect(problemsOf({ checkpoints: [present(older), { consistency: [], note: `${lonely}\n` }] })).toEqual(few)
  })

  it('names checkpoints that the last one does not continue', () => {
    const [older, last] = sample.checkpoints
    const cut = { ...present(older), consistency: present(older).consistency.slice(1) }
    expect(problemsOf({ checkpoints: [cut, present(last)] })).toEqual([{ _tag: 'NotContinued', place: 0 }])
    expect(problemsOf({ checkpoints: [] })).toContainEqual({ _tag: 'NoCheckpoint' })
  })

  it('names what is missing, out of order, changed or left out', () => {
    expect(problemsOf({ about: { id: 'pay_2', kind: 'payment' } })).toEqual([
      { _tag: 'NothingAbout', stream: 'payment-pay_2' },
    ])
    const reversed = streamsWith(payment, ({ stream, events }) => ({ stream, events: events.toReversed() }))
    expect(problemsOf({ streams: reversed })).toContainEqual({ _tag: 'BrokenChain', stream: payment, revision: 0 })
    expect(problemsOf({ streams: reversed })).toContainEqual({ _tag: 'BadIndex', stream: payment, revision: 1 })
    const gap = streamsWith(payment, ({ stream, events }) => ({ stream, events: events.toSpliced(1, 1) }))
    expect(problemsOf({ streams: gap })).toEqual([
      { _tag: 'BrokenChain', stream: payment, revision: 1 },
      { _tag: 'NotInLog', stream: payment, revision: 1 },
    ])
    const hidden = streamsWith(payment, ({ stream, events }) => ({ stream, events: events.slice(0, 2) }))
    expect(problemsOf({ streams: hidden })).toEqual([{ _tag: 'BadStream', stream: payment }])
    const later = streamsWith(customer, ({ stream, events }) => ({
      stream,
      events: events.map((each) => ({ ...each, recorded_at: each.recorded_at + 1 })),
    }))
    expect(problemsOf({ streams: later })).toEqual([{ _tag: 'NotInLog', stream: customer, revision: 0 }])
    expect(problemsOf({ streams: [...sample.streams, present(sample.streams[0])] })).toEqual([
      { _tag: 'BadStream', stream: customer },
      { _tag: 'BadIndex', stream: customer, revision: 0 },
    ])
  })

  it('names an anchor whose transaction is of another network, of another checkpoint, or not there', () => {
    const bad = [{ _tag: 'BadAnchor', place: 0 }]
    const [anchor] = sample.anchors
    expect(problemsOf({ anchors: [{ ...present(anchor), network_passphrase: 'Another' }] })).toEqual(bad)
    expect(problemsOf({ anchors: [{ ...present(anchor), checkpoint: 1 }] })).toEqual(bad)
    expect(problemsOf({ streams: sample.streams.slice(0, 2) })).toEqual(bad)
    expect(problemsOf({ anchors: [present(anchor), present(anchor)] })).toEqual([{ _tag: 'BadAnchor', place: 1 }])
  })
})
