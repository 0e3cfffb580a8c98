import type { JsonObject, Sealed } from '@quittance/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodeOrThrow } from '../decode.ts'
import type { Vault } from '../vault/port.ts'

const orNull = t.union([t.string, t.null])

/** What we know about a person. It exists in the clear only here, between the vault and an answer. */
export const Profile = t.strict(
  {
    email: orNull,
    name: orNull,
    phone: orNull,
    image: orNull,
    metadata: t.readonly(t.record(t.string, t.string)),
  },
  'Profile',
)
export type Profile = t.TypeOf<typeof Profile>

export const sealProfile = (vault: Vault, customerId: string, profile: Profile): Sealed => {
  const data: JsonObject = { ...profile }
  return vault.seal(customerId, data)
}

/** `none` after erasure. */
export const openProfile = (vault: Vault, customerId: string, sealed: Sealed | null): O.Option<Profile> =>
  pipe(
    O.fromNullable(sealed),
    O.chain((text) => vault.unseal(customerId, text)),
    O.map((data) => decodeOrThrow(Profile, data)),
  )
