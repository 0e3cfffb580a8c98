import { CorruptStream } from '../shared/decider.ts'
import type { ExceptionDetails, ExceptionEvent } from './events.ts'

export type ExceptionState =
  | { readonly status: 'absent' }
  | { readonly status: 'open'; readonly details: ExceptionDetails }

export const initial: ExceptionState = { status: 'absent' }

export const evolve = (state: ExceptionState, { type, data }: ExceptionEvent): ExceptionState => {
  if (state.status !== 'absent') throw new CorruptStream(type, state.status)
  return { status: 'open', details: data }
}
