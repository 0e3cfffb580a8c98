import type { AccountId } from '@quittance/domain'
import { Keypair } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { localSigner } from '../signing/local-signer.ts'
import type { SigningKey } from '../signing/signing-key.ts'
import { conformanceJson, describeConformance } from '../testing/conformance.ts'
import { isMessageSignedBy, signMessage } from './sep53.ts'

const signer = localSigner(new Uint8Array(32).fill(1))

describe('a signed message', () => {
  it('verifies only for its account and message, also by the SDK', async () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (message) => {
        const signature = E.getOrElseW(() => null)(await signMessage(message, signer)())
        if (signature === null) throw new Error('not signed')
        expect(isMessageSignedBy(signer.publicKey, message, signature)).toBe(true)
        expect(isMessageSignedBy(signer.publicKey, `${message} `, signature)).toBe(false)
        expect(isMessageSignedBy(localSigner(new Uint8Array(32)).publicKey, message, signature)).toBe(false)
        expect(Keypair.fromPublicKey(signer.publicKey).verifyMessage(message, signature)).toBe(true)
      }),
    ))
  it('names its purpose to the signer', () => {
    const asked: Array<unknown> = []
    const sign: SigningKey['sign'] = (bytes, purpose) => {
      asked.push(bytes.length, purpose)
      return signer.sign(bytes, purpose)
    }
    signMessage('a', { ...signer, sign })
    expect(asked).toEqual([32, { _tag: 'message' }])
  })
})

type Published = {
  readonly cases: ReadonlyArray<{
    readonly message?: string
    readonly messageBase64?: string
    readonly seed: string
    readonly address: AccountId
    readonly signatureBase64: string
    readonly signatureHex: string
  }>
}

describeConformance('messages printed in the standard', () => {
  const { cases } = conformanceJson<Published>('sep53.json')

  it.each(cases.map((each) => [each.message ?? 'bytes', each] as const))(
    'are signed and verified alike: %s',
    async (_, published) => {
      const { message = Buffer.from(published.messageBase64 ?? '', 'base64'), address, seed } = published
      const signature = Buffer.from(published.signatureBase64, 'base64')
      const printed = localSigner(Keypair.fromSecret(seed).rawSecretKey())
      expect(printed.publicKey).toBe(address)
      expect(await signMessage(message, printed)()).toEqual(E.right(signature))
      expect(isMessageSignedBy(address, message, signature)).toBe(true)
      expect(signature.toString('hex')).toBe(published.signatureHex)
    },
  )
})
