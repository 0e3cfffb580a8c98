import { createHash } from 'node:crypto'
import type { Environment } from '@quittance/domain'
import { type Alarm, alarmMeanings, isOver } from './alarm.ts'
import { withoutSessionIds } from './without-session-ids.ts'

/** What an alarm looks like outside: without whole ids of sessions, and never long. */
export type AlarmBody = {
  readonly id: string
  readonly type: 'alarm'
  readonly code: string
  /** The same for one trouble: at its end, after a restart, and from another process. */
  readonly key: string
  readonly status: 'raised' | 'over'
  readonly environment: Environment | null
  readonly service: string
  readonly message: string
  readonly details: unknown
  readonly raised_at: string
}

export type Raised = {
  readonly id: string
  readonly alarm: Alarm
  readonly environment: Environment | null
  readonly at: number
}

export const alarmBody = ({ id, alarm, environment, at }: Raised, service: string): AlarmBody => {
  const of = 'environment' in alarm ? alarm.environment : environment
  const { _tag, ...facts } = alarm
  const meaning = alarmMeanings[_tag]
  return {
    id,
    type: 'alarm',
    code: snakeCase(_tag),
    key: hashOf([service, of, identityOf(alarm)]),
    status: isOver(alarm) ? 'over' : 'raised',
    environment: of,
    service,
    message: `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`,
    details: shown(facts),
    raised_at: new Date(at).toISOString(),
  }
}

export const snakeCase = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

/** What tells one trouble from another: its end has the same. */
const identityOf = (alarm: Alarm): unknown => {
  const { _tag } = alarm
  if (_tag === 'MerchantSetBack' || _tag === 'MerchantSetBackOver') return ['set_back', alarm.merchantId, alarm.loop]
  if (_tag === 'RolledBack' || _tag === 'Sound') return 'log'
  if (_tag === 'Frozen' || _tag === 'FreezeOver') return ['frozen', alarm.scope, alarm.merchantId]
  if (_tag === 'InvariantViolated') return ['invariant', alarm.invariant, alarm.subject]
  return _tag === 'KeysLacking' ? 'keys' : shown(alarm)
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)

const [mostItems, mostCharacters] = [20, 1_000]

const shown = (value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return withoutSessionIds(value).slice(0, mostCharacters)
  if (Array.isArray(value)) return value.slice(0, mostItems).map(shown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) =>
      name === '_tag' ? ['reason', snakeCase(String(each))] : [snakeCase(name), shown(each)],
    ),
  )
}
