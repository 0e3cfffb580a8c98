import { alarmText } from './alarm-text.ts'
import type { Alarm } from './composition/open-platform.ts'

type AlarmLog = {
  readonly warn: (facts: object, message: string) => void
  readonly error: (facts: object, message: string) => void
}

/** Writes an alarm to the log as an error, and its end as a warning. */
export const tellAlarm = (log: AlarmLog, alarm: Alarm): void => {
  const text = alarmText(alarm)
  if (alarm._tag === 'MerchantSetBackOver') log.warn({ alarm }, text)
  else log.error({ alarm }, text)
}
