import { sign } from 'node:crypto'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { cosignedBy, signedBy, testKey } from '../testing/test-key.ts'
import { parseNote, parseSignatures, printNote } from './note.ts'
import { cosign, signNote } from './sign-note.ts'
import { textOfUtf8 } from './strict-text.ts'
import { keyIdOf, parseVerifierKey, printVerifierKey, type VerifierKey } from './verifier-key.ts'
import { verifyNote } from './verify-note.ts'

const exampleKey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const exampleNote = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`
/** Has a text of several paragraphs; its key is not known. */
const poem = `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
`

const right = <A>(result: E.Either<unknown, A>): A =>
  E.getOrElse<unknown, A>((why) => {
    throw new Error(JSON.stringify(why))
  })(result)

describe('the example of the specification', () => {
  const key = right(parseVerifierKey(exampleKey))
  const note = right(parseNote(exampleNote))

  it('is verified by its key', () => {
    expect(note.text).toBe('This is an example message.\n')
    expect(verifyNote(note, [key])).toEqual(E.right([{ ...note.signatures[0], key, time: null }]))
  })

  it('is refused with another text', () => {
    const wrong = E.left({ _tag: 'WrongSignature', keyName: 'example.com/foo', keyId: '530d903a' })
    expect(verifyNote({ ...note, text: 'This is another message.\n' }, [key])).toEqual(wrong)
  })

  it('is printed as it was read, and so is its key', () => {
    expect(printNote(note)).toBe(exampleNote)
    expect(printNote(right(parseNote(poem)))).toBe(poem)
    expect(right(parseNote(poem)).text.endsWith('ed è subito sera.\n')).toBe(true)
    expect(printVerifierKey(key)).toBe(exampleKey)
  })
})

describe('a note', () => {
  const signature = exampleNote.slice(exampleNote.indexOf('—'))
  const withBytes = (encoded: string) => `text\n\n— name ${encoded}\n`

  it.each([
    ['noSignatures', 'without an empty line', 'text\n— name AAAAAAA=\n'],
    ['noSignatures', 'without signatures', 'text\n\n'],
    ['noSignatures', 'that is empty', ''],
    ['signatureLine', 'without its last newline', exampleNote.slice(0, -1)],
    ['signatureLine', 'with a hyphen for the dash', exampleNote.replace('—', '-')],
    ['signatureLine', 'with two spaces', exampleNote.replace('— ', '—  ')],
    ['signatureLine', 'with a word after a signature', `${exampleNote.slice(0, -1)} word\n`],
    ['signatureLine', 'with a plus in a name', exampleNote.replace('foo', 'f+o')],
    ['signatureLine', 'with a Unicode space in a name', exampleNote.replace('foo', 'f\u2003o')],
    ['signatureLine', 'without a name', exampleNote.replace('example.com/foo', '')],
    ['signatureLine', 'with a signature of no bytes', withBytes('AAAAAA==')],
    ['signatureLine', 'with base64 that has no padding', withBytes('AAAAAAA')],
    ['signatureLine', 'with base64 that has bits after its end', withBytes('AAAAAAB=')],
    ['signatureLine', 'with base64 for addresses', withBytes('____AAA=')],
    ['controlCharacter', 'with a carriage return', exampleNote.replaceAll('\n', '\r\n')],
    ['controlCharacter', 'with a tab', `a\t${exampleNote}`],
    ['controlCharacter', 'with a zero byte', `a\0${exampleNote}`],
    ['notUtf8', 'with half a surrogate pair', `\ud800${exampleNote}`],
    ['tooManySignatures', 'with 65 signatures', `text\n\n${signature.repeat(65)}`],
    ['tooLong', 'of 262,145 letters', 'x'.repeat(262_145)],
  ])('is refused (%s) %s', (problem, _, text) => {
    expect(parseNote(text)).toEqual(E.left({ _tag: 'MalformedNote', problem }))
  })

  it('may have 64 signatures', () => {
    expect(right(parseNote(`text\n\n${signature.repeat(64)}`)).signatures).toHaveLength(64)
  })

  it('bytes that are no UTF-8 are no text, and a byte order mark stays in it', () => {
    expect(textOfUtf8(Buffer.from('c328', 'hex'))).toBeNull()
    expect(textOfUtf8(Buffer.from('\ufeffa'))).toBe('\ufeffa')
  })

  it('whatever is read is printed letter by letter, and nothing throws', () => {
    const piece = fc.constantFrom('—', ' ', '\n', '\n\n', 'a', '+', '=', 'AAAAAAA=', 'name', '\r', '\u00a0', 'é')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, ends) => {
        const text = `${pieces.join('')}${ends ? '\n\n— name AAAAAAA=\n' : ''}`
        const note = parseNote(text)
        if (E.isRight(note)) expect(printNote(note.right)).toBe(text)
      }),
    )
  })

  it('any text that ends in a newline survives print and parse', async () => {
    const key = testKey('log.example/a', 'ed25519', 1)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[a-z —é]{0,6}$/), { maxLength: 6 }), async (lines) => {
        const text = `${lines.join('\n')}\n`
        const note = { text, signatures: [await signedBy(key, text)] }
        const read = right(parseNote(printNote(note)))
        expect(read.text).toBe(text)
        expect(E.isRight(verifyNote(read, [key.key]))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('signature lines alone need one line at least', () => {
    expect(parseSignatures('')).toEqual(E.left({ _tag: 'MalformedNote', problem: 'noSignatures' }))
    expect(right(parseSignatures(signature))).toEqual(right(parseNote(exampleNote)).signatures)
  })
})

describe('verifying', () => {
  const log = testKey('log.example/a', 'ed25519', 1)
  const other = testKey('log.example/b', 'ed25519', 2)
  const witness = testKey('witness.example/w', 'cosignature/v1', 3)
  const text = 'log.example/a\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n'

  it('ignores unknown keys, even with the name of a known one', async () => {
    const namesake = testKey('log.example/a', 'ed25519', 4)
    const ours = await signedBy(log, text)
    const note = { text, signatures: [await signedBy(namesake, 'x\n'), ours, await signedBy(other, text)] }
    expect(verifyNote(note, [log.key])).toEqual(E.right([{ ...ours, key: log.key, time: null }]))
  })

  it('ignores a known id under another name', async () => {
    const ours = await signedBy(log, text)
    const note = { text, signatures: [{ ...ours, keyName: 'log.example/x' }, ours] }
    expect(verifyNote(note, [log.key])).toEqual(E.right([{ ...ours, key: log.key, time: null }]))
  })

  it('a wrong signature of a known key refuses the note, even beside a right one', async () => {
    const ours = await signedBy(log, text)
    const wrong = { ...ours, signature: ours.signature.map((byte, at) => (at === 9 ? byte ^ 1 : byte)) }
    const refused = E.left({ _tag: 'WrongSignature', keyName: 'log.example/a', keyId: keyIdOf(log.key) })
    expect(verifyNote({ text, signatures: [ours, wrong] }, [log.key])).toEqual(refused)
    expect(verifyNote({ text, signatures: [wrong, ours] }, [log.key])).toEqual(refused)
    const short = { ...ours, signature: ours.signature.subarray(1) }
    expect(verifyNote({ text, signatures: [short] }, [log.key])).toEqual(refused)
  })

  it('a note without a signature of a known key is refused', async () => {
    const note = { text, signatures: [await signedBy(other, text)] }
    expect(verifyNote(note, [log.key])).toEqual(E.left({ _tag: 'NoKnownSignature' }))
    expect(verifyNote(note, [])).toEqual(E.left({ _tag: 'NoKnownSignature' }))
  })

  it('a public key that is no point refuses the note', async () => {
    const publicKey = Buffer.alloc(32, 0xff)
    const key: VerifierKey = { name: 'log.example/a', type: 'ed25519', publicKey }
    const ours = { ...(await signedBy(log, text)), keyId: keyIdOf(key) }
    expect(verifyNote({ text, signatures: [ours] }, [key])).toMatchObject({ left: { _tag: 'WrongSignature' } })
  })

  it('a cosignature covers its time and the text, byte for byte as specified', async () => {
    const cosignature = await cosignedBy(witness, text, 1_679_315_147n)
    const message = Buffer.from(`cosignature/v1\ntime 1679315147\n${text}`)
    const time = Buffer.from('000000006418' + '50cb', 'hex')
    expect(Buffer.from(cosignature.signature)).toEqual(Buffer.concat([time, sign(null, message, witness.privateKey)]))
    expect(verifyNote({ text, signatures: [cosignature] }, [witness.key])).toEqual(
      E.right([{ ...cosignature, key: witness.key, time: 1_679_315_147n }]),
    )
  })

  it.each([0, 7, 8, 71])('a cosignature with a changed bit in byte %i is refused', async (place) => {
    const cosignature = await cosignedBy(witness, text, 1_679_315_147n)
    const signature = cosignature.signature.map((byte, at) => (at === place ? byte ^ 1 : byte))
    const verified = verifyNote({ text, signatures: [{ ...cosignature, signature }] }, [witness.key])
    expect(verified).toMatchObject({ left: { _tag: 'WrongSignature' } })
  })

  it('a time of 0 or above 2^63 - 1 is no time of a cosignature', async () => {
    await expect(cosignedBy(witness, text, 0n)).rejects.toThrow(RangeError)
    await expect(cosignedBy(witness, text, 2n ** 63n)).rejects.toThrow(RangeError)
    for (const time of [0n, 2n ** 63n]) {
      const timestamp = Buffer.alloc(8)
      timestamp.writeBigUInt64BE(time)
      const signed = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), witness.privateKey)
      const signature = {
        keyName: witness.key.name,
        keyId: keyIdOf(witness.key),
        signature: Buffer.concat([timestamp, signed]),
      }
      expect(verifyNote({ text, signatures: [signature] }, [witness.key])).toMatchObject({
        left: { _tag: 'WrongSignature' },
      })
    }
  })

  it('one key is two: for notes and for cosignatures', async () => {
    const asNote = { ...witness.key, type: 'ed25519' as const }
    expect(keyIdOf(asNote)).not.toBe(keyIdOf(witness.key))
    const note = { text, signatures: [await cosignedBy(witness, text, 1n)] }
    expect(verifyNote(note, [asNote])).toEqual(E.left({ _tag: 'NoKnownSignature' }))
    expect(() => signNote(witness.key, witness.sign, text)).toThrow(TypeError)
    expect(() => cosign(log.key, log.sign, text, 1n)).toThrow(TypeError)
  })
})

describe('a verifier key', () => {
  it.each([
    ['without a name', '+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'],
    ['with an id in capitals', exampleKey.replace('530d903a', '530D903A')],
    ['with a space', `${exampleKey} `],
    ['with a newline', `${exampleKey}\n`],
    ['of two parts', 'example.com/foo+530d903a'],
    ['with a short key', 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3Q=='],
    ['that is empty', ''],
  ])('is refused %s', (_, text) => {
    expect(parseVerifierKey(text)).toEqual(E.left({ _tag: 'MalformedVerifierKey' }))
  })

  it('is refused with the id of another key, and told the right one', () => {
    const wrong = E.left({ _tag: 'WrongKeyId', expected: '530d903a' })
    expect(parseVerifierKey(exampleKey.replace('530d903a', '530d903b'))).toEqual(wrong)
  })

  it('is refused where its type is not ours', () => {
    const material = Buffer.concat([Buffer.of(6), Buffer.alloc(1312)]).toString('base64')
    expect(parseVerifierKey(`w.example+00000000+${material}`)).toEqual(E.left({ _tag: 'UnsupportedKeyType', type: 6 }))
  })

  it.each(['ed25519', 'cosignature/v1'] as const)('of type %s survives print and parse', (type) => {
    const { key } = testKey('name.example/ä', type, 9)
    expect(right(parseVerifierKey(printVerifierKey(key)))).toEqual({ ...key, publicKey: Buffer.from(key.publicKey) })
  })
})
