import { AssetId } from '@quittance/domain'
import { accountOf } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from './config.ts'
import type { Variables } from './settings.ts'

const nodes = { QUITTANCE_TESTNET_RPC_URLS: 'http://10.0.0.1:8000' }
const custom = { ...nodes, QUITTANCE_TESTNET_PASSPHRASE: 'Our Network' }
const assetsOf = (variables: Variables, environment: 'testnet' | 'mainnet' = 'testnet') => {
  const config = configFrom(variables)
  if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
  return config.right.networks[environment].assets
}
const problemsOf = (variables: Variables) => {
  const config = configFrom(variables)
  return E.isLeft(config) ? config.left : []
}
const shape = 'CODE:ISSUER[=FIAT], separated by commas, such as USDC:G…=USD'
const [one, other] = [accountOf(1), accountOf(2)]

describe('the assets of a network', () => {
  it.each<['testnet' | 'mainnet', string, string]>([
    [
      'testnet',
      'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
      'GB3Q6QDZYTHWT7E5PVS3W7FUT5GVAFC5KSZFFLPU25GO7VTC3NM2ZTVO',
    ],
    [
      'mainnet',
      'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
      'GDHU6WRG4IEQXM5NZ4BMPKOXHW76MZM4Y2IEMFDVXBSDP6SJY4ITNPP2',
    ],
  ])("offers Circle's dollars and euros, and XLM, on the public %s", (environment, dollars, euros) => {
    const assets = assetsOf({}, environment)
    expect(assets).toEqual([
      { assetId: `USDC:${dollars}`, description: 'US dollars, issued by Circle', pegged: true, peg: 'USD' },
      { assetId: `EURC:${euros}`, description: 'Euros, issued by Circle', pegged: true, peg: 'EUR' },
      { assetId: 'native', description: 'Lumens, the native asset of Stellar', pegged: false },
    ])
    expect(assets.every(({ assetId }) => AssetId.is(assetId))).toBe(true)
  })

  it('offers XLM and the configured assets on another network', () => {
    expect(assetsOf(custom).map(({ assetId }) => assetId)).toEqual(['native'])
    const listed = `ACME:${one}, CHFX:${one}=chf ,USDC:${other}=USD`
    expect(assetsOf({ ...custom, QUITTANCE_ASSETS_TESTNET: listed })).toEqual([
      { assetId: `USDC:${other}`, description: 'USDC, pegged to USD', pegged: true, peg: 'USD' },
      { assetId: `CHFX:${one}`, description: 'CHFX, pegged to CHF', pegged: true, peg: 'CHF' },
      { assetId: 'native', description: 'Lumens, the native asset of Stellar', pegged: false },
      { assetId: `ACME:${one}`, description: 'ACME', pegged: false },
    ])
  })

  it.each<[string, Variables, string]>([
    [
      'the first that is pegged',
      { ...custom, QUITTANCE_ASSETS_TESTNET: `A:${one},B:${one}=EUR,C:${one}=USD` },
      `B:${one}`,
    ],
    ['XLM where none is pegged', { ...custom, QUITTANCE_ASSETS_TESTNET: `USDC:${one}` }, 'native'],
    [
      'USDC where there is one that is pegged',
      { ...custom, QUITTANCE_ASSETS_TESTNET: `B:${one}=EUR,USDC:${one}=USD` },
      `USDC:${one}`,
    ],
  ])('puts the default first: %s', (_, variables, assetId) => expect(assetsOf(variables)[0]).toMatchObject({ assetId }))

  it('reports all problems of assets together with those of other variables', () => {
    const listed = `USDC:${one}=USD,USDC:${one.slice(0, -1)}A,TOOLONGACODE1:${one},X:${one}=XXX,native,USDC:${one}=EUR`
    expect(problemsOf({ ...custom, QUITTANCE_ASSETS_TESTNET: listed, QUITTANCE_PORT: 'x' })).toEqual([
      { variable: 'QUITTANCE_PORT', expected: 'a port from 0 to 65535' },
      ...[
        `${shape}; asset 2 is none of an issuer (G…)`,
        `${shape}; asset 3 is none of an issuer (G…)`,
        `${shape}; asset 4 is pegged to no currency of GET /currencies`,
        `${shape}; asset 5 is none of an issuer (G…)`,
        `a list that adds assets once: USDC:${one} is there already`,
      ].map((expected) => ({ variable: 'QUITTANCE_ASSETS_TESTNET', expected })),
    ])
  })

  it('refuses to redefine published assets', () => {
    const [usdc] = assetsOf({})
    const expected = `a list that adds assets once: ${usdc?.assetId} is there already`
    expect(problemsOf({ ...nodes, QUITTANCE_ASSETS_TESTNET: `${usdc?.assetId}=EUR` })).toEqual([
      { variable: 'QUITTANCE_ASSETS_TESTNET', expected },
    ])
  })
})
