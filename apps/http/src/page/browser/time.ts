const twoDigits = (count: number): string => String(count).padStart(2, '0')

/** How long is left, for a person: `14:59` below an hour, `23 h 59 min` above. Never below `0:00`. In milliseconds. */
export const timeLeft = (remainingMs: number): string => {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  return hours > 0 ? `${hours} h ${twoDigits(minutes)} min` : `${minutes}:${twoDigits(seconds % 60)}`
}

/** Time as the server counts it, in milliseconds since 1970. */
export type ServerClock = {
  readonly now: () => number
  /** A time read from the server, or from the ledger. The one furthest ahead counts: every other came late. */
  readonly learn: (serverMs: number) => void
}

/**
 * The payer's own clock may be wrong, and a sandbox's clock may have been moved ahead, so deadlines are counted from
 * what the server and the ledger say.
 */
export const createServerClock = (localNow: () => number): ServerClock => {
  let offset: number | null = null
  return {
    now: () => localNow() + (offset ?? 0),
    learn: (serverMs) => {
      if (!Number.isFinite(serverMs)) return
      const seen = serverMs - localNow()
      offset = offset === null ? seen : Math.max(offset, seen)
    },
  }
}
