import { isDeepStrictEqual } from 'node:util'
import {
  type JsonObject,
  type MetadataRejection,
  MetadataText,
  mergeMetadata,
  metadataValues,
  type Sealed,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { Vault } from '../stores/vault/port.ts'

const orNull = t.union([t.string, t.null])

/** The personal data of a customer. It is in the clear only here, between the vault and a response. */
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

/** The fields to change; null unsets one. `metadata` is merged into the current one; null removes a key. */
export type ProfilePatch = {
  readonly [Field in 'email' | 'name' | 'phone' | 'image']?: string | null | undefined
} & { readonly metadata?: unknown }

/** The profile after a change; null if nothing changes. */
export const changedProfile = (
  profile: Profile,
  { metadata = {}, ...fields }: ProfilePatch,
): E.Either<MetadataRejection, Profile | null> => {
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return pipe(
    mergeMetadata(decodeOrThrow(MetadataText, JSON.stringify(profile.metadata)), metadata, 'text'),
    E.map((merged) => decodeOrThrow(Profile, { ...profile, ...sent, metadata: metadataValues(merged) })),
    E.map((changed) => (isDeepStrictEqual(changed, profile) ? null : changed)),
  )
}

/** `none` after erasure. */
export const sealProfile = (vault: Vault, customerId: string, profile: Profile): Promise<O.Option<Sealed>> => {
  const data: JsonObject = { ...profile }
  return vault.seal(customerId, data)
}

/** `none` after erasure. */
export const openProfile = async (
  vault: Vault,
  customerId: string,
  sealed: Sealed | null,
): Promise<O.Option<Profile>> => {
  if (sealed === null) return O.none
  return O.map((data) => decodeOrThrow(Profile, data))(await vault.unseal(customerId, sealed))
}
