import { AccountId, AssetId, stroops } from '@quittance/domain'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { named } from './named.ts'
import { parseSep7, payUri, type Sep7Request, sep7Uri, txUri } from './sep7.ts'
import { conformanceJson, describeConformance } from './testing/conformance.ts'

const destination = named(AccountId, 'GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO')
const issuer = 'GCRCUE2C5TBNIPYHMEP7NK5RWTT2WBSZ75CMARH7GDOHDDCQH3XANFOB'
const networkPassphrase = 'Test SDF Network ; September 2015'
const native = named(AssetId, 'native')
const order = { destination, amount: stroops(1_201_234_567n), memoText: 'chk_1', networkPassphrase }

describe('asking a wallet to pay', () => {
  it('names amount, memo and network, and leaves the native asset unnamed', () =>
    expect(payUri({ ...order, assetId: native })).toBe(
      `web+stellar:pay?destination=${destination}&amount=120.1234567&memo=chk_1&memo_type=MEMO_TEXT&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015`,
    ))
  it('names an issued asset by code and issuer', () =>
    expect(parseSep7(payUri({ ...order, assetId: named(AssetId, `USD:${issuer}`), message: 'a & b = 100 %' }))).toEqual(
      E.right({
        operation: 'pay',
        parameters: {
          destination,
          amount: '120.1234567',
          asset_code: 'USD',
          asset_issuer: issuer,
          memo: 'chk_1',
          memo_type: 'MEMO_TEXT',
          msg: 'a & b = 100 %',
          network_passphrase: networkPassphrase,
        },
      }),
    ))
})

describe('asking a wallet to sign', () => {
  it('carries the transaction, and where to post it', () =>
    expect(
      parseSep7(txUri({ envelopeXdr: 'AA+/==', networkPassphrase, callback: 'https://shop.example/sign' })),
    ).toEqual(
      E.right({
        operation: 'tx',
        parameters: {
          xdr: 'AA+/==',
          callback: 'url:https://shop.example/sign',
          network_passphrase: networkPassphrase,
        },
      }),
    ))
  it('lets the wallet submit where no callback is given', () =>
    expect(txUri({ envelopeXdr: 'AA==', networkPassphrase, message: 'order 24' })).toBe(
      'web+stellar:tx?xdr=AA%3D%3D&msg=order%2024&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015',
    ))
})

describe('reading a request', () => {
  it.each([
    ['another scheme', 'https://pay?destination=G', 'not a pay or tx request'],
    ['another operation', 'web+stellar:sign?xdr=AA', 'not a pay or tx request'],
    ['no parameters', 'web+stellar:pay?', 'not a pay or tx request'],
    ['no destination', 'web+stellar:pay?amount=1', 'parameter destination is missing'],
    ['an empty destination', 'web+stellar:pay?destination=', 'parameter destination is missing'],
    ['no transaction', 'web+stellar:tx?msg=1', 'parameter xdr is missing'],
    ['broken encoding', 'web+stellar:pay?destination=%E0%A4%A', 'parameter destination cannot be read'],
    ['a parameter twice', 'web+stellar:pay?destination=G&destination=H', 'parameter destination occurs twice'],
    ['a parameter without a value', 'web+stellar:pay?destination', 'parameter destination cannot be read'],
    ['a parameter without a name', 'web+stellar:pay?destination=G&=1', 'parameter  cannot be read'],
  ])('is refused for %s', (_, uri, cause) => expect(parseSep7(uri)).toEqual(E.left({ _tag: 'MalformedSep7', cause })))

  it('never throws, whatever the text', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(['Left', 'Right']).toContain(parseSep7(`web+stellar:pay?${text}`)._tag)
      }),
    ))

  it('gives back every parameter that was written', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z_]+$/), fc.string({ unit: 'grapheme' })), (given) => {
        const request: Sep7Request = { operation: 'pay', parameters: { ...given, destination } }
        expect(parseSep7(sep7Uri(request))).toEqual(E.right(request))
      }),
    ))
})

type Published = {
  readonly requests: ReadonlyArray<{ uri: string } & Sep7Request>
  readonly signing: { readonly unsignedUri: string; readonly signedUri: string; readonly signatureBase64: string }
  readonly replacement: { readonly value: string; readonly encoded: string }
}

describeConformance('requests printed in the standard', () => {
  const { requests, signing, replacement } = conformanceJson<Published>('sep7.json')

  it.each(requests)('are read and written alike: $uri', ({ uri, operation, parameters }) => {
    expect(parseSep7(uri)).toEqual(E.right({ operation, parameters }))
    expect(sep7Uri({ operation, parameters })).toBe(uri)
  })
  it('keep their signature', () => {
    const unsigned = E.getOrElseW(() => null)(parseSep7(signing.unsignedUri))
    expect(parseSep7(signing.signedUri)).toEqual(
      E.right({ operation: 'pay', parameters: { ...unsigned?.parameters, signature: signing.signatureBase64 } }),
    )
  })
  it('encode a replacement as the standard does', () =>
    expect(sep7Uri({ operation: 'tx', parameters: { xdr: 'AA', replace: replacement.value } })).toBe(
      `web+stellar:tx?xdr=AA&replace=${replacement.encoded}`,
    ))
})
