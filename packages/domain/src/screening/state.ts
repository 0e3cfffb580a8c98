import type { Hold, HoldDecision, ScreeningEvent } from './events.ts'

/** What was ever held, and the last decision about each subject. */
export type ScreeningState = {
  readonly held: ReadonlyMap<string, Hold>
  readonly decided: ReadonlyMap<string, HoldDecision>
}

export const initial: ScreeningState = { held: new Map(), decided: new Map() }

export const evolve = (state: ScreeningState, { type, data }: ScreeningEvent): ScreeningState => {
  switch (type) {
    case 'MoneyHeld':
      return { ...state, held: new Map([...state.held, [data.subject, data]]) }
    case 'HoldDecided':
      return { ...state, decided: new Map([...state.decided, [data.subject, data]]) }
  }
}

/**
 * `unknown`: the list is to be asked. `held`: it does not move until the operator decides. `accepted`: it may move.
 * `refused`: it never moves.
 */
export type Standing = 'unknown' | 'held' | 'accepted' | 'refused'

/** Where a subject stands: by what the operator decided, or else whether it is held. */
export const standingOf = ({ held, decided }: ScreeningState, subject: string): Standing => {
  switch (decided.get(subject)?.action) {
    case 'accept':
      return 'accepted'
    case 'return':
      return 'refused'
    case 'keep':
      return 'held'
    case undefined:
      return held.has(subject) ? 'held' : 'unknown'
  }
}
