import type { TransparencyStanding } from '@quittance/billing'
import { snakeCase } from './alarm-body.ts'

/** Whether checkpoints of the log are signed; if not, why. Only the process that keeps the log knows more than `kept`. */
export type TransparencyReadiness = {
  readonly status: 'kept' | 'refused'
  readonly reason: string | null
  /** What each witness has said of the newest checkpoint, by the name of its key. */
  readonly witnesses: Readonly<Record<string, 'cosigned' | 'unreachable' | 'refused'>>
}

const shown = { Cosigned: 'cosigned', WitnessUnreachable: 'unreachable', WitnessRefused: 'refused' } as const

export const transparencyReadiness = ({ failure, witnesses }: TransparencyStanding): TransparencyReadiness => ({
  status: failure === null ? 'kept' : 'refused',
  reason: failure === null ? null : snakeCase(failure._tag),
  witnesses: Object.fromEntries(witnesses.map(({ name, answer }) => [name, shown[answer._tag]])),
})
