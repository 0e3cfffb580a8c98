import { Keypair } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { isSignatureOf } from './ed25519.ts'
import { localSigner } from './local-signer.ts'

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 })
const bytes = fc.uint8Array({ maxLength: 300 })
const uri = { _tag: 'uri' } as const

describe('a signer', () => {
  it("has the SDK's public key and signatures, and each verifies the other's, for any seed and bytes", async () =>
    fc.assert(
      fc.asyncProperty(seed, bytes, async (secret, message) => {
        const [signer, pair] = [localSigner(secret), Keypair.fromRawEd25519Seed(secret)]
        const theirs = pair.sign(message)
        expect(signer.publicKey).toBe(pair.publicKey())
        const ours = await signer.sign(message, uri)()
        expect(ours).toEqual(E.right(Buffer.from(theirs)))
        expect(isSignatureOf(pair.rawPublicKey(), message, theirs)).toBe(true)
        expect(E.isRight(ours) && pair.verify(message, ours.right)).toBe(true)
      }),
    ))

  it('signs nothing that another key, other bytes or an altered signature would pass for', () =>
    fc.assert(
      fc.property(seed, bytes, fc.nat({ max: 63 }), (secret, message, at) => {
        const pair = Keypair.fromRawEd25519Seed(secret)
        const signature = pair.sign(message)
        const altered = signature.map((byte, index) => (index === at ? byte ^ 1 : byte))
        const stranger = Keypair.fromRawEd25519Seed(secret.map((byte) => byte ^ 1)).rawPublicKey()
        expect(isSignatureOf(pair.rawPublicKey(), message, altered)).toBe(false)
        expect(isSignatureOf(stranger, message, signature)).toBe(false)
        expect(isSignatureOf(pair.rawPublicKey(), Buffer.concat([message, Buffer.of(0)]), signature)).toBe(false)
      }),
    ))

  it('refuses keys and signatures of any bytes without throwing', () =>
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        bytes,
        fc.uint8Array({ maxLength: 70 }),
        (key, message, signature) => {
          expect(isSignatureOf(key, message, signature)).toBe(false)
        },
      ),
    ))
  it('refuses what is no point of the curve without throwing', () =>
    fc.assert(
      fc.property(seed, fc.uint8Array({ minLength: 64, maxLength: 64 }), (key, signature) => {
        expect(isSignatureOf(key, key, signature)).toBe(false)
      }),
    ))

  it.each([0, 31, 33])('is not made of %i bytes', (length) =>
    expect(() => localSigner(new Uint8Array(length))).toThrow(RangeError),
  )
})
