import { AcceptedAsset, type Environment } from '@quittance/domain'

const asset = (assetId: string, description: string, pegged: boolean): AcceptedAsset => {
  const named = { assetId, description, pegged }
  if (!AcceptedAsset.is(named)) throw new Error(`no proper name of an asset: ${assetId}`)
  return named
}

const lumens = asset('native', 'Lumens, the native asset of Stellar', false)

/**
 * What payers often hold: looked for in their accounts beside what a merchant accepts, and held against rates by its
 * code. So only the issuers themselves belong here. Source: Circle, "USDC contract addresses", "EURC contract addresses".
 */
export const wellKnownAssets: Readonly<Record<Environment, ReadonlyArray<AcceptedAsset>>> = {
  testnet: [lumens, asset('USDC:GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5', 'US dollars', true)],
  mainnet: [
    lumens,
    asset('USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN', 'US dollars', true),
    asset('EURC:GDHU6WRG4IEQXM5NZ4BMPKOXHW76MZM4Y2IEMFDVXBSDP6SJY4ITNPP2', 'Euros', true),
  ],
}
