import { type UnixMs, unixMs } from '@quittance/domain'

/** A month, a day or a moment to the millisecond, each at its beginning. Undefined for a text that is none. */
export const readTime = (text: string | null): UnixMs | null | undefined => {
  if (text === null) return null
  const [, month, day = '01', time = '00:00', seconds = '00', fraction = '000'] =
    /^(\d{4}-\d{2})(?:-(\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{3}))?)?Z)?)?$/.exec(text) ?? []
  const moment = new Date(`${month}-${day}T${time}:${seconds}.${fraction}Z`)
  // Other calendars' days, such as 31 February, become days of the next month.
  const isReal = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${month}-${day}T${time}`)
  return isReal && moment.getTime() >= 0 ? unixMs(moment.getTime()) : undefined
}
