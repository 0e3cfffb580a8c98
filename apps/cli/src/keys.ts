import type { Billing } from '@quittance/billing'
import { ApiKeyId, type UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { CommandResult } from './command.ts'
import { type CommandError, refused } from './command-error.ts'
import { failureError } from './failures.ts'
import { table } from './printing.ts'

/** A key as the platform stores it, without the secret. */
export type StoredKey = Awaited<ReturnType<Billing['merchants']['keys']>>[number]

/** The keys of one merchant, or of all. */
export const storedKeys = async (
  { merchants }: Billing,
  merchantId: string | null,
): Promise<ReadonlyArray<StoredKey>> => {
  const all = await merchants.names()
  const wanted = all.filter((merchant) => merchantId === null || merchant.merchantId === merchantId)
  return (await Promise.all(wanted.map((merchant) => merchants.keys(merchant.merchantId)))).flat()
}

/** Finds a key by its id. The error never repeats the text: it may be a secret that was given in place of an id. */
export const keyById = async (billing: Billing, keyId: string): Promise<E.Either<CommandError, StoredKey>> => {
  const found = (await storedKeys(billing, null)).find(({ row }) => row.key.keyId === keyId)
  if (found !== undefined) return E.right(found)
  return E.left(
    ApiKeyId.is(keyId)
      ? failureError({ _tag: 'ApiKeyNotFound', keyId })
      : refused('api_key_not_found', 'There is no such key: its id begins with key_. `quittance key list` shows them.'),
  )
}

/**
 * A key without its secret or its hash. `scopes` is empty for an unrestricted key; `valid_until` is set once another key
 * replaces it; `last_used_at` is precise to the minute.
 */
export const keyJson = async (
  { merchants }: Billing,
  { merchantId, row: { key, createdAt, validUntil, revokedAt } }: StoredKey,
) => ({
  key_id: key.keyId,
  merchant_id: merchantId,
  environment: key.environment,
  prefix: key.prefix,
  last_four: key.lastFour,
  scopes: key.scopes,
  created_at: new Date(createdAt).toISOString(),
  last_used_at: timeOf(await merchants.lastUsed(key.keyId)),
  valid_until: timeOf(validUntil),
  revoked_at: timeOf(revokedAt),
})

const timeOf = (moment: UnixMs | null): string | null => (moment === null ? null : new Date(moment).toISOString())

/** Shows a new key, this once. */
export const newKeyResult = (json: Readonly<Record<string, string>>): CommandResult => ({
  status: 0,
  json,
  text: `${table(Object.entries(json))}\n\nKeep the key: it is not shown again.`,
})
