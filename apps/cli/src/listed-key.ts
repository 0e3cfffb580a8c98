import type { Billing } from '@quittance/billing'

/** A key as its merchant keeps it; the key itself is nowhere stored. */
export type KeptKey = ReturnType<Billing['merchants']['keys']>[number]

/** All keys of all merchants, or those of one. */
export const keptKeys = ({ merchants }: Billing, merchantId: string | null): ReadonlyArray<KeptKey> =>
  merchants
    .names()
    .filter((merchant) => merchantId === null || merchant.merchantId === merchantId)
    .flatMap((merchant) => merchants.keys(merchant.merchantId))

/** A key as it is shown: enough to tell which one it is, never a hash. `scopes` is empty for a key that may do everything. */
export const listedKey = ({ merchantId, row: { key, createdAt, revokedAt } }: KeptKey) => ({
  key_id: key.keyId,
  merchant_id: merchantId,
  environment: key.environment,
  prefix: key.prefix,
  last_four: key.lastFour,
  scopes: key.scopes,
  created_at: new Date(createdAt).toISOString(),
  revoked_at: revokedAt === null ? null : new Date(revokedAt).toISOString(),
})
