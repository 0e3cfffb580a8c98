import { right } from '@quittance/domain/testing/outcomes'
import { Keypair } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { localSigner } from '../signing/local-signer.ts'
import { conformanceJson, describeConformance } from '../testing/conformance.ts'

import { isRequestOf } from '../testing/wallet.ts'
import { signSep7 } from './sep7-signature.ts'

describe('a signed SEP-7 request', () => {
  const signer = localSigner(new Uint8Array(32).fill(1))
  const stranger = localSigner(new Uint8Array(32).fill(2))
  const uri = `web+stellar:pay?destination=${stranger.publicKey}&amount=12.5&msg=pay%20me%20with%20lumens`

  it('is that of the domain that publishes the key', async () => {
    const signed = right(await signSep7(uri, 'shop.example', signer)())
    expect(isRequestOf(signed, 'shop.example', signer.publicKey)).toBe(true)
    expect(isRequestOf(signed, 'shop.example', stranger.publicKey)).toBe(false)
    expect(isRequestOf(signed.replace('12.5', '12.6'), 'shop.example', signer.publicKey)).toBe(false)
  })
  it('is not made where the signer is unavailable', async () => {
    const failure = E.left({ _tag: 'SignerUnavailable', cause: 'locked' } as const)
    expect(await signSep7(uri, 'shop.example', { ...signer, sign: () => async () => failure })()).toEqual(failure)
  })
})

type Published = {
  readonly signing: {
    readonly payloadPrefixHex: string
    readonly payloadText: string
    readonly secretKey: string
    readonly publicKey: string
    readonly unsignedUri: string
    readonly signedUri: string
  }
}

describeConformance('the signed request printed in SEP-7', () => {
  const { signing } = conformanceJson<Published>('sep7.json')
  const printed = localSigner(Keypair.fromSecret(signing.secretKey).rawSecretKey())
  const [unsigned = '', domain = ''] = signing.unsignedUri.split('&origin_domain=')

  it('is signed alike', async () =>
    expect(await signSep7(unsigned, domain, printed)()).toEqual(E.right(signing.signedUri)))
  it('is authentic', () => expect(isRequestOf(signing.signedUri, domain, signing.publicKey)).toBe(true))
  it('signs the printed payload', async () => {
    const payload = Buffer.concat([
      Buffer.from(signing.payloadPrefixHex, 'hex'),
      Buffer.from(`${signing.payloadText}${signing.unsignedUri}`),
    ])
    const asked: Array<unknown> = []
    const sign: typeof printed.sign = (bytes, purpose) => {
      asked.push(bytes, purpose)
      return printed.sign(bytes, purpose)
    }
    await signSep7(unsigned, domain, { ...printed, sign })()
    expect(asked).toEqual([payload, { _tag: 'uri' }])
  })
})
