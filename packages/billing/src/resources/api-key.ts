import type { UnixMs } from '@quittance/domain'
import type { ApiKeyRow, Found } from '@quittance/projections'
import { timestamp, timestampOrNull } from './fields.ts'

/** A key as the interface shows it: never its secret. */
export const apiKeyResource = (
  { id, environment, row: { key, createdAt, validUntil, revokedAt } }: Found<ApiKeyRow>,
  lastUsedAt: UnixMs | null,
) => ({
  id,
  object: 'api_key' as const,
  status: revokedAt === null ? ('active' as const) : ('revoked' as const),
  kind: key.kind,
  name: key.label,
  scopes: key.scopes,
  begins_with: key.prefix,
  ends_with: key.lastFour,
  made_by: key.maker?.memberId ?? null,
  last_used_at: timestampOrNull(lastUsedAt),
  valid_until: timestampOrNull(validUntil),
  revoked_at: timestampOrNull(revokedAt),
  environment,
  created_at: timestamp(createdAt),
})
export type ApiKeyResource = ReturnType<typeof apiKeyResource>
