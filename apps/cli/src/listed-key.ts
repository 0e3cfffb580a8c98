import type { Billing } from '@quittance/billing'
import { ApiKeyId, type UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Complaint, refused } from './complaint.ts'
import { complaintOf } from './failures.ts'

/** A key as its merchant keeps it; the key itself is nowhere stored. */
export type KeptKey = ReturnType<Billing['merchants']['keys']>[number]

/** All keys of all merchants, or those of one. */
export const keptKeys = ({ merchants }: Billing, merchantId: string | null): ReadonlyArray<KeptKey> =>
  merchants
    .names()
    .filter((merchant) => merchantId === null || merchant.merchantId === merchantId)
    .flatMap((merchant) => merchants.keys(merchant.merchantId))

/** The key of an id. A key itself, given in place of its id, is not repeated: it would stand in the terminal and in logs. */
export const knownKey = (billing: Billing, keyId: string): E.Either<Complaint, KeptKey> => {
  const known = keptKeys(billing, null).find(({ row }) => row.key.keyId === keyId)
  if (known !== undefined) return E.right(known)
  return E.left(
    ApiKeyId.is(keyId)
      ? complaintOf({ _tag: 'ApiKeyNotFound', keyId })
      : refused('api_key_not_found', 'There is no such key: its id begins with key_. `quittance key list` shows them.'),
  )
}

/**
 * A key as it is shown: enough to tell which one it is, never a hash. `scopes` is empty for a key that may do everything;
 * `valid_until` is when one ends that another has replaced; `last_used_at` is true to the minute.
 */
export const listedKey = (
  { merchants }: Billing,
  { merchantId, row: { key, createdAt, validUntil, revokedAt } }: KeptKey,
) => ({
  key_id: key.keyId,
  merchant_id: merchantId,
  environment: key.environment,
  prefix: key.prefix,
  last_four: key.lastFour,
  scopes: key.scopes,
  created_at: new Date(createdAt).toISOString(),
  last_used_at: timeOf(merchants.lastUsed(key.keyId)),
  valid_until: timeOf(validUntil),
  revoked_at: timeOf(revokedAt),
})

const timeOf = (moment: UnixMs | null): string | null => (moment === null ? null : new Date(moment).toISOString())
