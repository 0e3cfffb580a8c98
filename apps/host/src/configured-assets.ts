import { type AcceptedAsset, AssetId, assetCode, asText, CurrencyCode } from '@quittance/domain'
import type { Settings } from './settings.ts'
import { wellKnownAssets } from './well-known-assets.ts'

const shape = 'CODE:ISSUER[=FIAT], separated by commas, such as USDC:G…=USD'

/**
 * The assets that merchants of a network may accept, the default first: the well-known ones and those of
 * `QUITTANCE_ASSETS_<name>`. Problems name an invalid asset by its position, because its text may be a secret.
 */
export const networkAssets = (settings: Settings, name: string, passphrase: string): ReadonlyArray<AcceptedAsset> => {
  const known = wellKnownAssets(passphrase)
  const variable = `ASSETS_${name}`
  const listed = settings.read<ReadonlyArray<string>>(
    variable,
    shape,
    (text) => text.split(',').map((each) => each.trim()),
    [],
  )
  const found = listed.map((text, index) => readAsset(text, index + 1))
  const assets = found.flatMap((each) => ('expected' in each ? [] : [each]))
  const twice = assets.filter(({ assetId }, index) =>
    [...known, ...assets.slice(0, index)].some((each) => each.assetId === assetId),
  )
  settings.complain(
    ...found.flatMap((each) => ('expected' in each ? [complaintIn(variable, each.expected)] : [])),
    ...twice.map(({ assetId }) => complaintIn(variable, `a list that adds assets once: ${assetId} is there already`)),
  )
  return byDefault([...known, ...assets])
}

type Unread = { readonly expected: string }

const complaintIn = (variable: string, expected: string) => ({ variable: `QUITTANCE_${variable}`, expected })

const readAsset = (text: string, place: number): AcceptedAsset | Unread => {
  const [, name = '', currency] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? []
  if (!AssetId.is(name) || name === 'native') return { expected: `${shape}; asset ${place} is none of an issuer (G…)` }
  if (currency === undefined) return { assetId: name, description: asText(assetCode(name)), pegged: false }
  const peg = CurrencyCode.decode(currency)
  if (peg._tag === 'Left') return { expected: `${shape}; asset ${place} is pegged to no currency of GET /currencies` }
  const description = asText(`${assetCode(name)}, pegged to ${peg.right}`)
  return { assetId: name, description, pegged: true, peg: peg.right }
}

/**
 * Dollars first, because prices in currencies move little against them; then other pegged assets, then lumens, then the
 * rest.
 */
const byDefault = (assets: ReadonlyArray<AcceptedAsset>): ReadonlyArray<AcceptedAsset> => {
  const rank = ({ assetId, pegged }: AcceptedAsset): number =>
    pegged && assetCode(assetId) === 'USDC' ? 0 : pegged ? 1 : assetId === 'native' ? 2 : 3
  return assets.toSorted((one, other) => rank(one) - rank(other))
}
