import { AccountId } from '@quittance/domain'
import { Keypair } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { named } from '../named.ts'
import { localSigner } from '../signing/local-signer.ts'
import { conformanceJson, describeConformance } from '../testing/conformance.ts'
import { signSep7, verifySep7 } from './sep7-signature.ts'

const signer = localSigner(new Uint8Array(32).fill(1))
const stranger = localSigner(new Uint8Array(32).fill(2))
const uri = `web+stellar:pay?destination=${stranger.publicKey}&amount=12.5&msg=pay%20me%20with%20lumens`
const originDomain = 'shop.example'

const published = (keys: Readonly<Record<string, AccountId>>) => (domain: string) => TE.right(keys[domain] ?? null)
const verifying = verifySep7(published({ [originDomain]: signer.publicKey }))
const signedBy = async (by: typeof signer, domain = originDomain, text = uri): Promise<string> => {
  const signed = await signSep7(text, domain, by)()
  if (E.isLeft(signed)) throw new Error(signed.left.cause)
  return signed.right
}
const isFalse = E.left({ _tag: 'Sep7SignatureFalse', originDomain })

describe('a signed request', () => {
  it('is that of the domain which publishes the key', async () =>
    expect(await verifying(await signedBy(signer))()).toEqual(
      E.right({
        originDomain,
        request: expect.objectContaining({ operation: 'pay', message: 'pay me with lumens', originDomain }),
      }),
    ))
  it('is nobody else’s: another key is false, also for the same domain', async () =>
    expect(await verifying(await signedBy(stranger))()).toEqual(isFalse))
  it('is false for a domain that it was not signed for', async () => {
    const other = await signedBy(signer, 'other.example')
    expect(await verifying(other.replace('other.example', originDomain))()).toEqual(isFalse)
  })
  it('is false once any character of what is asked has changed, or anything is added', async () => {
    const signed = await signedBy(signer)
    expect(await verifying(signed.replace('amount=12.5', 'amount=12.6'))()).toEqual(isFalse)
    expect(await verifying(signed.replace('%20', '+'))()).toEqual(isFalse)
    expect(await verifying(`${signed}&memo=1`)()).toEqual(isFalse)
    expect(await verifying(signed.replace('&amount=12.5', ''))()).toEqual(isFalse)
  })
  it('may carry its signature anywhere', async () => {
    const [, before = '', signature = ''] = /^(.*)(&signature=.*)$/.exec(await signedBy(signer)) ?? []
    const moved = before.replace('&amount', `${signature}&amount`)
    expect(await verifying(moved)()).toEqual(E.right(expect.objectContaining({ originDomain })))
  })
  it('is not authentic without its signature, its origin, or a published key', async () => {
    const signed = await signedBy(signer)
    expect(await verifying(signed.replace(/&signature=.*/, ''))()).toEqual(
      E.left({ _tag: 'Sep7SignatureMissing', originDomain }),
    )
    expect(await verifying(signed.replace(`&origin_domain=${originDomain}`, ''))()).toEqual(
      E.left({ _tag: 'Sep7OriginMissing' }),
    )
    expect(await verifySep7(published({}))(signed)()).toEqual(E.left({ _tag: 'Sep7NoSigningKey', originDomain }))
  })
  it('is of unknown origin when it has neither, and no domain is asked', async () => {
    const asked = verifySep7(() => TE.left('asked' as const))
    expect(await asked(uri)()).toEqual(E.right({ request: expect.anything(), originDomain: null }))
  })
  it('proves nothing while nobody can say what the domain publishes', async () =>
    expect(await verifySep7(() => TE.left('unreachable' as const))(await signedBy(signer))()).toEqual(
      E.left('unreachable'),
    ))
  it('never throws, whatever the signature', async () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 64, maxLength: 64 }), async (bytes) => {
        const signature = encodeURIComponent(Buffer.from(bytes).toString('base64'))
        expect(await verifying(`${uri}&origin_domain=${originDomain}&signature=${signature}`)()).toEqual(isFalse)
      }),
    ))
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

describeConformance('the signed request printed in the standard', () => {
  const { signing } = conformanceJson<Published>('sep7.json')
  const printed = localSigner(Keypair.fromSecret(signing.secretKey).rawSecretKey())
  const [unsigned = '', domain = ''] = signing.unsignedUri.split('&origin_domain=')

  it('is signed alike', async () =>
    expect(await signSep7(unsigned, domain, printed)()).toEqual(E.right(signing.signedUri)))
  it('signs the payload that is printed', async () => {
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
  it('is authentic', async () => {
    const keys = published({ [domain]: named(AccountId, signing.publicKey) })
    expect(await verifySep7(keys)(signing.signedUri)()).toEqual(
      E.right({ request: expect.objectContaining({ originDomain: domain }), originDomain: domain }),
    )
  })
})
