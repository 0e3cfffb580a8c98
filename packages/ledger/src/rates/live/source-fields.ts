import * as t from 'io-ts'

/** XLM's rate may be two minutes old, so markets are read again well before. */
export const MARKET_TTL_SECONDS = 30

const loopback = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/

/** Where a source is: over TLS, or on this machine. */
export const SourceUrl = new t.Type<string, string, unknown>(
  'https address, or one of this machine',
  t.string.is,
  (input, context) => {
    const url = typeof input === 'string' && URL.canParse(input) ? new URL(input) : null
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname))
    return isSafe && typeof input === 'string' ? t.success(input) : t.failure(input, context)
  },
  (url) => url,
)

const Seconds = new t.Type<number, number, unknown>(
  'whole seconds from 1 to 86400',
  t.number.is,
  (input, context) =>
    typeof input === 'number' && Number.isInteger(input) && input >= 1 && input <= 86_400
      ? t.success(input)
      : t.failure(input, context),
  (seconds) => seconds,
)

/** Settings that every source may have. */
export const sourceFields = t.partial({ ttl_seconds: Seconds })

export const sourceLimits = (
  { ttl_seconds }: t.TypeOf<typeof sourceFields>,
  ttlSeconds: number,
): { readonly ttlMs: number } => ({ ttlMs: (ttl_seconds ?? ttlSeconds) * 1000 })
