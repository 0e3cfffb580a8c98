const twoDigits = (count: number): string => String(count).padStart(2, '0')

/** The time left, from milliseconds: `14:59` below an hour, `23 h 59 min` above, never below `0:00`. */
export const timeLeft = (remainingMs: number): string => {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  return hours > 0 ? `${hours} h ${twoDigits(minutes)} min` : `${minutes}:${twoDigits(seconds % 60)}`
}

const withZone = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
const withDay = { day: 'numeric', month: 'short', year: 'numeric', ...withZone } as const

/** A time of day in the reader's own zone, which it names. */
export const timeOfDay = (locale: string, at: number): string => new Intl.DateTimeFormat(locale, withZone).format(at)

/** A day and the time, with its zone; the reader's own zone without `timeZone`. */
export const dayAndTime = (locale: string, at: number, timeZone?: 'UTC'): string =>
  new Intl.DateTimeFormat(locale, { ...withDay, ...(timeZone === undefined ? {} : { timeZone }) }).format(at)

/** The time of the server, in milliseconds since 1970. */
export type ServerClock = {
  readonly now: () => number
  /** Takes a time from the server or the ledger. The latest one counts, because all others arrived late. */
  readonly learn: (serverMs: number) => void
}

/**
 * Deadlines follow the server and the ledger, because the payer's clock may be wrong and a sandbox's clock may be
 * ahead.
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
