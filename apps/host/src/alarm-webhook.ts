import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Sender, sender, signedHeaders } from '@quittance/billing'
import { logAlarm, type RaiseAlarm } from './alarm.ts'
import { type AlarmBody, alarmBody, type Raised } from './alarm-body.ts'
import type { AlarmEndpoint } from './alarms-setting.ts'
import { type Closers, closedLater } from './closers.ts'
import type { Config } from './config.ts'
import type { OperatorLog } from './operator-log.ts'
import type { PublicAddress } from './public-address.ts'

export type AlarmWebhook = {
  /** Returns at once, and never throws. */
  readonly post: (alarm: Omit<Raised, 'id' | 'at'>) => void
  /** Ends the retries. Attempts under way have a moment to end. */
  readonly close: () => Promise<void>
}

type Posting = {
  readonly endpoint: AlarmEndpoint
  /** The address of this service, once it is known. */
  readonly service: () => string
  readonly sender: Sender
  readonly log: OperatorLog
  /** The pauses before the retries of one alarm. */
  readonly pausesMs?: ReadonlyArray<number>
}

const [second, minute] = [1_000, 60_000]
const usualPausesMs = [5 * second, 30 * second, 5 * minute, 30 * minute, 60 * minute, 120 * minute, 240 * minute]
const mostPending = 100
const closingMs = 2 * second
const totalMs = 10 * second

/** Alarms go to the log, and to the operator's address if there is one. */
export const raiseAlarms = (
  { alarms }: Pick<Config, 'alarms'>,
  { url }: PublicAddress,
  log: OperatorLog,
  closers: Closers,
): RaiseAlarm => {
  if (alarms === null) return (alarm) => logAlarm(log, alarm)
  // The operator's own address may be private.
  const posting = sender({ allowed: { holds: () => true }, totalMs })
  const webhook = closedLater(closers, alarmWebhook({ endpoint: alarms, service: url, sender: posting, log }))
  return (alarm, environment) => {
    logAlarm(log, alarm)
    webhook.post({ alarm, environment })
  }
}

/**
 * Posts alarms to the operator beside all other work, signed like webhooks. What belongs to one trouble arrives in order.
 * Pending alarms are in memory alone: a restarted process raises again what still lasts.
 */
export const alarmWebhook = ({ endpoint, service, sender, log, pausesMs = usualPausesMs }: Posting): AlarmWebhook => {
  const ending = new AbortController()
  const pending = new Map<string, Promise<void>>()
  let [count, isFull] = [0, false]

  const attempt = async (body: AlarmBody, text: string): Promise<string | null> => {
    const headers = signedHeaders(body.id, Date.now(), text, [endpoint.secret])
    const result = await sender.post({ url: endpoint.url, headers, body: text, mayBeLoopback: true })()
    if (result._tag !== 'Answered') return result._tag === 'Unreachable' ? result.cause : result._tag
    return result.status >= 200 && result.status < 300 ? null : `status ${result.status}`
  }

  const deliver = async (body: AlarmBody): Promise<void> => {
    const text = JSON.stringify(body)
    const { id, code } = body
    for (const pauseMs of [0, ...pausesMs]) {
      if (pauseMs > 0) await pause(pauseMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined)
      if (ending.signal.aborted) break
      const reason = await attempt(body, text).catch(String)
      if (reason === null) return
      if (pauseMs === 0) log.warn({ id, code, reason }, 'an alarm has not reached QUITTANCE_ALARM_URL; it is retried')
    }
    log.error({ id, code }, 'an alarm has not reached QUITTANCE_ALARM_URL and is given up')
  }

  return {
    post: (alarm) => {
      if (ending.signal.aborted) return
      if (count >= mostPending) {
        if (!isFull) log.error({ pending: count }, 'QUITTANCE_ALARM_URL does not keep up: alarms are in this log alone')
        isFull = true
        return
      }
      const body = alarmBody({ ...alarm, id: `alm_${randomUUID()}`, at: Date.now() }, service())
      count += 1
      const earlier = pending.get(body.key) ?? Promise.resolve()
      const delivered = earlier
        .then(() => deliver(body))
        .finally(() => {
          count -= 1
          isFull = false
          if (pending.get(body.key) === delivered) pending.delete(body.key)
        })
      pending.set(body.key, delivered)
    },
    close: async () => {
      ending.abort()
      const over = Promise.allSettled(pending.values())
      await Promise.race([over, pause(closingMs, undefined, { ref: false })])
      await sender.close()
    },
  }
}
