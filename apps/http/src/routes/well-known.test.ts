import { isRequestOf, readStellarToml } from '@quittance/ledger/testing/wallet'
import * as E from 'fp-ts/lib/Either.js'
import { openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'

describe('the stellar.toml of the domain', () => {
  let service: Service
  const start = async (environment: Readonly<Record<string, string>> = {}) => {
    service = await startService(environment)
  }
  afterEach(() => service.close())
  const published = async () => {
    const response = await fetch(`${service.url}/.well-known/stellar.toml`)
    return { status: response.status, headers: response.headers, toml: readStellarToml(await response.text()) }
  }

  it('serves stellar.toml as plain text that any page may read, with network, account, assets and key', async () => {
    await start()
    const { destination } = await openSale(service)
    const { status, headers, toml } = await published()
    expect([status, headers.get('access-control-allow-origin'), headers.get('content-type')]).toEqual([
      200,
      '*',
      'text/plain; charset=utf-8',
    ])
    const issued = service.facts.assets.filter(({ issuer }) => issuer !== null)
    expect(toml).toEqual(
      E.right({
        networkPassphrase: service.facts.network_passphrase,
        accounts: [destination],
        signingKey: expect.stringMatching(/^G/),
        uriRequestSigningKey: expect.stringMatching(/^G/),
        currencies: expect.arrayContaining(issued.map(({ asset_id }) => asset_id)),
      }),
    )
  })

  it('lets wallets verify signed requests of a domain', async () => {
    await start({ QUITTANCE_PUBLIC_URL: 'https://pay.shop.example' })
    const { quote } = await openSale(service)
    const { toml } = await published()
    if (E.isLeft(toml)) throw new Error(toml.left.cause)
    expect(isRequestOf(quote.sep7_uri, 'pay.shop.example', toml.right.uriRequestSigningKey ?? '')).toBe(true)
  })

  it('leaves requests unsigned in the sandbox, which has no domain', async () => {
    await start()
    expect((await openSale(service)).quote.sep7_uri).not.toMatch(/origin_domain|signature/)
  })
})
