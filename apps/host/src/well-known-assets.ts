import { AcceptedAsset } from '@quittance/domain'
import { publicPassphrases } from './public-networks.ts'

const asset = (assetId: string, description: string, peg?: string): AcceptedAsset => {
  const known = { assetId, description, pegged: peg !== undefined, ...(peg === undefined ? {} : { peg }) }
  if (!AcceptedAsset.is(known)) throw new Error(`no proper name of an asset: ${assetId}`)
  return known
}

const lumens = asset('native', 'Lumens, the native asset of Stellar')
const dollars = (issuer: string): AcceptedAsset => asset(`USDC:${issuer}`, 'US dollars, issued by Circle', 'USD')
const euros = (issuer: string): AcceptedAsset => asset(`EURC:${issuer}`, 'Euros, issued by Circle', 'EUR')

/** Source: Circle, "USDC Contract Addresses" and "EURC Contract Addresses". */
const circles: Readonly<Record<string, ReadonlyArray<AcceptedAsset>>> = {
  [publicPassphrases.testnet]: [
    dollars('GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5'),
    euros('GB3Q6QDZYTHWT7E5PVS3W7FUT5GVAFC5KSZFFLPU25GO7VTC3NM2ZTVO'),
  ],
  [publicPassphrases.mainnet]: [
    dollars('GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'),
    euros('GDHU6WRG4IEQXM5NZ4BMPKOXHW76MZM4Y2IEMFDVXBSDP6SJY4ITNPP2'),
  ],
}

/**
 * The well-known assets of a network by its passphrase: lumens everywhere, and on the public networks the assets that
 * issuers have published. Only these belong here, because the markets of `QUITTANCE_RATES` price them.
 */
export const wellKnownAssets = (passphrase: string): ReadonlyArray<AcceptedAsset> => [
  ...(circles[passphrase] ?? []),
  lumens,
]

/** Whether an asset is well known on any network: an issuer has one key. */
export const isWellKnown = (assetId: string): boolean =>
  [lumens, ...Object.values(circles).flat()].some((each) => each.assetId === assetId)
