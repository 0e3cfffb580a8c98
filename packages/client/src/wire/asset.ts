import * as t from 'io-ts'
import { orNull, says } from './codecs.ts'
import { assetId } from './fields.ts'
import { account } from './values.ts'

/** An asset accepted in the key's environment. */
export const Asset = t.type(
  {
    asset_id: assetId,
    code: says('The code of the asset, such as `USDC`.', t.string),
    description: says('What the asset is, for a person.', t.string),
    canonicalIssuer: says('Null for the native asset, which has none.', orNull(account)),
    images: says('Addresses of logos.', t.readonlyArray(t.string)),
  },
  'Asset',
)
export type Asset = t.TypeOf<typeof Asset>
