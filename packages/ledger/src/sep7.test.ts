import { AccountId, AssetId, stroops } from '@quittance/domain'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type { Memo } from './incoming-payment.ts'
import { named } from './named.ts'
import { payUri, sep7Uri, txUri } from './sep7.ts'
import { formatSep7, parseSep7, type Sep7Parameters } from './sep7-parameters.ts'
import { readSep7 } from './sep7-read.ts'
import { formatReplacement, readReplacement } from './sep7-replacement.ts'
import type { PayRequest, Sep7Request, SignRequest } from './sep7-request.ts'
import { accountOfKey, writeStrkey } from './stellar/strkey.ts'
import { conformanceJson, describeConformance } from './testing/conformance.ts'

const destination = named(AccountId, 'GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO')
const issuer = 'GCRCUE2C5TBNIPYHMEP7NK5RWTT2WBSZ75CMARH7GDOHDDCQH3XANFOB'
const networkPassphrase = 'Test SDF Network ; September 2015'
const native = named(AssetId, 'native')
const order: PayRequest = {
  operation: 'pay',
  destination,
  amount: stroops(1_201_234_567n),
  assetId: native,
  memo: { _tag: 'text', value: 'chk_1' },
  networkPassphrase,
}
const toSign: SignRequest = { operation: 'tx', envelopeXdr: 'AA+/==', networkPassphrase }
const malformed = (cause: string) => E.left({ _tag: 'MalformedSep7', cause })

describe('asking a wallet to pay', () => {
  it('names amount, memo and network, and leaves the native asset unnamed', () =>
    expect(sep7Uri(order)).toEqual(
      E.right(
        `web+stellar:pay?destination=${destination}&amount=120.1234567&memo=chk_1&memo_type=MEMO_TEXT&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015`,
      ),
    ))
  it('is the same for an order of ours', () => {
    const amount = stroops(1_201_234_567n)
    const ours = payUri({ destination, amount, assetId: native, memoText: 'chk_1', networkPassphrase })
    expect(E.right(ours)).toEqual(sep7Uri(order))
  })
  it('names an issued asset by code and issuer', () =>
    expect(E.chain(parseSep7)(sep7Uri({ ...order, assetId: named(AssetId, `USD:${issuer}`) }))).toEqual(
      E.right({
        operation: 'pay',
        parameters: {
          destination,
          amount: '120.1234567',
          asset_code: 'USD',
          asset_issuer: issuer,
          memo: 'chk_1',
          memo_type: 'MEMO_TEXT',
          network_passphrase: networkPassphrase,
        },
      }),
    ))
  it('writes a hash as base64', () =>
    expect(sep7Uri({ ...order, memo: { _tag: 'return', value: 'ff'.repeat(32) } })).toEqual(
      E.right(expect.stringContaining(`memo=${encodeURIComponent(`${'/'.repeat(42)}8=`)}&memo_type=MEMO_RETURN`)),
    ))
})

describe('asking a wallet to sign', () => {
  it('lets the wallet submit where no callback is given', () => {
    const uri = 'web+stellar:tx?xdr=AA%3D%3D&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015'
    expect(txUri({ envelopeXdr: 'AA==', networkPassphrase })).toBe(uri)
    expect(sep7Uri({ ...toSign, envelopeXdr: 'AA==' })).toEqual(E.right(uri))
  })
  it('carries the transaction, and where to post it', () =>
    expect(E.chain(parseSep7)(sep7Uri({ ...toSign, callback: 'https://shop.example/sign' }))).toEqual(
      E.right({
        operation: 'tx',
        parameters: {
          xdr: 'AA+/==',
          callback: 'url:https://shop.example/sign',
          network_passphrase: networkPassphrase,
        },
      }),
    ))
})

const account = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(accountOfKey)
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const anyId = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
const anyMemo: fc.Arbitrary<Memo> = fc.oneof(
  fc.constant<Memo>({ _tag: 'none' }),
  fc.record({ _tag: fc.constant('text' as const), value: fc.string({ unit: 'grapheme-ascii', maxLength: 28 }) }),
  fc.record({ _tag: fc.constant('id' as const), value: anyId }),
  fc.record({ _tag: fc.constantFrom('hash' as const, 'return' as const), value: hash }),
)
const anyDestination = fc.oneof(
  account,
  fc.record({ account, muxedId: anyId }).map((muxed) => writeStrkey({ _tag: 'muxed_account', ...muxed })),
  hash.map((each) => writeStrkey({ _tag: 'contract', hash: each })),
  fc.tuple(fc.stringMatching(/^[^*]+$/), fc.domain()).map((parts) => parts.join('*')),
)
const shared = {
  networkPassphrase: fc.string({ unit: 'grapheme' }),
  callback: fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: true }),
  message: fc.string({ unit: 'grapheme', maxLength: 100 }).filter((text) => [...text].length <= 300),
  originDomain: fc.domain(),
  signature: fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64')),
}
const reference = fc.stringMatching(/^\w+$/)
const anyReplacement = fc
  .uniqueArray(fc.tuple(fc.stringMatching(/^[A-Za-z][\w.[\]]*$/), reference), {
    minLength: 1,
    selector: ([field]) => field,
  })
  .chain((pairs) => {
    const references = [...new Set(pairs.map(([, each]) => each))]
    const hints = fc.tuple(...references.map((each) => fc.tuple(fc.constant(each), fc.stringMatching(/^[^:,][^,]*$/))))
    const fields = pairs.map(([field, each]) => ({ field, reference: each }))
    return hints.map((each) => ({ fields, hints: Object.fromEntries(each) }))
  })
const anyPay: fc.Arbitrary<PayRequest> = fc.record(
  {
    operation: fc.constant('pay' as const),
    destination: anyDestination,
    amount: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(stroops),
    assetId: fc.constantFrom(native, named(AssetId, `USD:${issuer}`), named(AssetId, `LONGERCODE12:${issuer}`)),
    memo: anyMemo,
    ...shared,
  },
  { requiredKeys: ['operation', 'destination', 'assetId', 'memo', 'networkPassphrase'] },
)
const anySign: fc.Arbitrary<SignRequest> = fc.record(
  {
    operation: fc.constant('tx' as const),
    envelopeXdr: fc.base64String({ minLength: 4 }),
    replace: anyReplacement,
    publicKey: account,
    chain: anyPay.map((inner) => (E.isRight(sep7Uri(inner)) ? formatted(inner) : 'no request')),
    ...shared,
  },
  { requiredKeys: ['operation', 'envelopeXdr', 'networkPassphrase'] },
)
const formatted = (request: Sep7Request): string => E.getOrElse(() => '')(sep7Uri(request))

describe('reading a request', () => {
  it('gives back what was written', () =>
    fc.assert(
      fc.property(fc.oneof(anyPay, anySign), (request) => {
        expect(E.chain(readSep7)(sep7Uri(request))).toEqual(E.right(request))
      }),
      { numRuns: 500 },
    ))

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
  ])('is refused for %s', (_, uri, cause) => {
    expect(parseSep7(uri)).toEqual(malformed(cause))
    expect(readSep7(uri)).toEqual(malformed(cause))
  })

  const pool = writeStrkey({ _tag: 'liquidity_pool', hash: '00'.repeat(32) })
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a destination that is none', { destination: 'G' }, 'destination is no address'],
    ['a destination that cannot be paid', { destination: pool }, 'destination is no address'],
    ['a federated address without a domain', { destination: 'ada*localhost' }, 'destination is no address'],
    ['a federated address of two domains', { destination: 'ada*a.example*b.example' }, 'destination is no address'],
    ['an amount of nothing', { amount: '0' }, 'amount is no amount'],
    ['an amount with eight decimals', { amount: '0.00000001' }, 'amount is no amount'],
    ['an asset without its issuer', { asset_code: 'USD' }, 'asset_code and asset_issuer name no asset'],
    ['an issuer without its asset', { asset_issuer: issuer }, 'asset_code and asset_issuer name no asset'],
    ['a text of 29 bytes', { memo: `${'a'.repeat(27)}é` }, 'memo is no memo of its type'],
    ['an id above 64 bits', { memo: '18446744073709551616', memo_type: 'MEMO_ID' }, 'memo is no memo of its type'],
    ['an id in another spelling', { memo: '01', memo_type: 'MEMO_ID' }, 'memo is no memo of its type'],
    ['a hash in hex', { memo: 'ab'.repeat(32), memo_type: 'MEMO_HASH' }, 'memo is no memo of its type'],
    ['a hash of 31 bytes', { memo: `${'A'.repeat(42)}==`, memo_type: 'MEMO_RETURN' }, 'memo is no memo of its type'],
    ['an unknown type of memo', { memo: '1', memo_type: 'text' }, 'memo is no memo of its type'],
    ['a callback that is no url', { callback: 'https://shop.example' }, 'callback is no https address'],
    ['a callback in the clear', { callback: 'url:http://shop.example' }, 'callback is no https address'],
    ['a callback to nowhere', { callback: 'url:https://' }, 'callback is no https address'],
    ['301 characters of message', { msg: '€'.repeat(301) }, 'msg is too long'],
    ['an origin that is an address', { origin_domain: '127.0.0.1' }, 'origin_domain is no domain'],
    ['an origin with a path', { origin_domain: 'shop.example/a' }, 'origin_domain is no domain'],
    ['a signature of 63 bytes', { signature: Buffer.alloc(63).toString('base64') }, 'signature is no signature'],
    ['a signature in another spelling', { signature: 'A'.repeat(86) }, 'signature is no signature'],
  ])('to pay is refused for %s', (_, parameters, cause) => {
    const uri = formatSep7({ operation: 'pay', parameters: { destination, ...parameters } })
    expect(readSep7(uri)).toEqual(malformed(cause))
  })

  const nested = (levels: number): string =>
    levels === 0
      ? formatSep7({ operation: 'pay', parameters: { destination } })
      : formatSep7({ operation: 'tx', parameters: { xdr: 'AA', chain: nested(levels - 1) } })
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a key that is none', { pubkey: pool }, 'pubkey is no account'],
    ['a chain that is no request', { chain: 'web+stellar:pay?' }, 'chain is no request, or too long'],
    ['a chain of eight requests', { chain: nested(7) }, 'chain is no request, or too long'],
  ])('to sign is refused for %s', (_, parameters, cause) =>
    expect(readSep7(formatSep7({ operation: 'tx', parameters: { xdr: 'AA', ...parameters } }))).toEqual(
      malformed(cause),
    ),
  )
  it('to sign may stand at the end of a chain of seven', () =>
    expect(readSep7(nested(7))).toMatchObject({ _tag: 'Right' }))

  it.each([
    ['301 characters', 'msg is too long', { ...order, message: 'a'.repeat(301) }],
    ['half a character', 'half a character', { ...order, message: '\ud800' }],
    ['nothing to be paid', 'amount is no amount', { ...order, amount: stroops(0n) }],
  ])('is not even written with %s', (_, cause, request) => expect(sep7Uri(request)).toEqual(malformed(cause)))

  it('never throws, whatever the text', () =>
    fc.assert(
      fc.property(fc.constantFrom('pay?', 'tx?', ''), fc.string({ unit: 'binary' }), (operation, text) => {
        expect(['Left', 'Right']).toContain(readSep7(`web+stellar:${operation}${text}`)._tag)
      }),
    ))
  it('never throws, whatever the parameters', () => {
    const names = ['amount', 'memo', 'memo_type', 'callback', 'msg', 'asset_code', 'replace', 'chain', 'signature']
    const parameters = fc.dictionary(fc.constantFrom(...names), fc.string({ unit: 'binary' }), {
      noNullPrototype: true,
    })
    fc.assert(
      fc.property(parameters, (given) => {
        // A lone surrogate cannot be percent-encoded at all.
        fc.pre(Object.values(given).every((value) => value.isWellFormed()))
        for (const operation of ['pay', 'tx'] as const) {
          const uri = formatSep7({ operation, parameters: { ...given, destination, xdr: 'AA' } })
          expect(['Left', 'Right']).toContain(readSep7(uri)._tag)
        }
      }),
    )
  })
  it('leaves every parameter as it was written', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z_]+$/), fc.string({ unit: 'grapheme' })), (given) => {
        const request: Sep7Parameters = { operation: 'pay', parameters: { ...given, destination } }
        expect(parseSep7(formatSep7(request))).toEqual(E.right(request))
      }),
    ))
})

describe('what the wallet is to replace', () => {
  it.each([
    ['no hints', 'sourceAccount:X'],
    ['a hint for another reference', 'sourceAccount:X;Y:The account'],
    ['a reference without a hint', 'sourceAccount:X,seqNum:Y;X:The account'],
    ['a hint for nothing', 'sourceAccount:X;X:The account,Y:More'],
    ['a field twice', 'sourceAccount:X,sourceAccount:Y;X:a,Y:b'],
    ['a hint twice', 'sourceAccount:X;X:a,X:b'],
    ['no fields', ';X:a'],
    ['nothing', ''],
  ])('is refused with %s', (_, text) => {
    expect(readReplacement(text)).toBeNull()
    expect(readSep7(formatSep7({ operation: 'tx', parameters: { xdr: 'AA', replace: text } }))).toEqual(
      malformed('replace names no fields'),
    )
  })
})

type Published = {
  readonly requests: ReadonlyArray<{ uri: string } & Sep7Parameters>
  readonly signing: { readonly unsignedUri: string; readonly signedUri: string; readonly signatureBase64: string }
  readonly replacement: { readonly value: string; readonly encoded: string; readonly invalidValue: string }
}

describeConformance('requests printed in the standard', () => {
  const { requests, signing, replacement } = conformanceJson<Published>('sep7.json')

  it.each(requests)('are read and written alike: $uri', ({ uri, operation, parameters }) => {
    expect(parseSep7(uri)).toEqual(E.right({ operation, parameters }))
    expect(formatSep7({ operation, parameters })).toBe(uri)
    const passphrase = encodeURIComponent('Public Global Stellar Network ; September 2015')
    expect(E.chain(sep7Uri)(readSep7(uri))).toEqual(E.right(`${uri}&network_passphrase=${passphrase}`))
  })
  it('keep their signature', () => {
    const unsigned = E.getOrElseW(() => null)(readSep7(signing.unsignedUri))
    expect(unsigned).toMatchObject({ originDomain: 'someDomain.com' })
    expect(readSep7(signing.signedUri)).toEqual(E.right({ ...unsigned, signature: signing.signatureBase64 }))
  })
  it('name what is to be replaced', () => {
    const [x, y] = [
      'account from where you want to pay fees',
      'account that needs the trustline and which will receive the new tokens',
    ]
    const replace = {
      fields: [
        { field: 'sourceAccount', reference: 'X' },
        { field: 'operations[0].sourceAccount', reference: 'Y' },
        { field: 'operations[1].destination', reference: 'Y' },
      ],
      hints: { X: x, Y: y },
    }
    expect(readReplacement(replacement.value)).toEqual(replace)
    expect(formatReplacement(replace)).toBe(replacement.value)
    expect(sep7Uri({ ...toSign, replace })).toEqual(
      E.right(expect.stringContaining(`&replace=${replacement.encoded}&`)),
    )
    expect(readReplacement(replacement.invalidValue)).toBeNull()
  })
})
