import * as E from 'fp-ts/lib/Either.js'
import { isPublicAddress } from '../public-address.ts'
import { localSigner } from '../signing/local-signer.ts'
import { type DomainAnswer, startDomain } from '../testing/domain.ts'
import { LARGEST_STELLAR_TOML_BYTES } from './stellar-toml.ts'
import { type Reach, stellarTomlReader } from './stellar-toml-reader.ts'

const signer = localSigner(new Uint8Array(32).fill(1))
const document = `URI_REQUEST_SIGNING_KEY="${signer.publicKey}"\n`
const ok: DomainAnswer = { status: 200, body: document }

/** What is read of a domain that answers so, and what it was asked. */
const reading = async (answer: DomainAnswer, changed: Partial<Reach> = {}, name = 'shop.example') => {
  const domain = await startDomain(answer)
  const reader = stellarTomlReader({ ...domain.reach, ...changed })
  try {
    const outcome = await reader.read(name)()
    return { outcome, requests: domain.requests.map((each) => each.replace(`:${domain.reach.port}`, '')) }
  } finally {
    await reader.close()
    await domain.stop()
  }
}
const unreachable = (cause: unknown = expect.any(String)) =>
  E.left({ _tag: 'StellarTomlUnreachable', domain: 'shop.example', cause })

describe("reading a domain's stellar.toml", () => {
  it('asks the domain itself, at the well-known path', async () =>
    expect(await reading(ok)).toEqual({
      outcome: E.right(expect.objectContaining({ uriRequestSigningKey: signer.publicKey })),
      requests: ['shop.example /.well-known/stellar.toml'],
    }))

  it.each([404, 500, 301, 302, 307, 308])('follows no other response (%i), wherever it points', async (status) =>
    expect(await reading({ status, headers: { location: 'https://other.example/' }, body: document })).toEqual({
      outcome: E.left({ _tag: 'StellarTomlRefused', domain: 'shop.example', status }),
      requests: ['shop.example /.well-known/stellar.toml'],
    }),
  )
  it('is bounded in size', async () => {
    const room = LARGEST_STELLAR_TOML_BYTES - document.length
    const sized = (bytes: number): DomainAnswer => ({ status: 200, body: `${document}${'\n'.repeat(bytes)}` })
    expect((await reading(sized(room))).outcome).toMatchObject({ _tag: 'Right' })
    expect((await reading(sized(room + 1))).outcome).toEqual(unreachable())
  })
  it('is bounded in time', async () =>
    expect((await reading('silence', { totalMs: 50 })).outcome).toEqual(unreachable()))
  it('refuses servers without a certificate of the domain', async () => {
    expect((await reading(ok, { authority: '' })).outcome).toEqual(unreachable())
    expect((await reading(ok, {}, 'third.example')).outcome).toMatchObject({ _tag: 'Left' })
  })
  it('refuses a malformed document', async () =>
    expect((await reading({ status: 200, body: '<html>' })).outcome).toEqual(
      E.left({ _tag: 'MalformedStellarToml', cause: expect.any(String) }),
    ))

  it('connects to public addresses only', async () =>
    expect(await reading(ok, { isAllowed: isPublicAddress })).toEqual({
      outcome: unreachable('shop.example is at no public address'),
      requests: [],
    }))
  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '0x7f.1',
    '[::1]',
    'localhost',
    'shop.example:80',
    'a@shop.example',
    'shop.example/..',
    '',
  ])('requests nothing for a malformed domain: %p', async (domain) =>
    expect(await reading(ok, {}, domain)).toEqual({ outcome: E.left({ _tag: 'NotADomain', domain }), requests: [] }),
  )
})
