import type { UnixMs } from '@quittance/domain'

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = (at: UnixMs): string => new Date(at).toISOString()
export const timestampOrNull = (at: UnixMs | null): string | null => (at === null ? null : timestamp(at))
