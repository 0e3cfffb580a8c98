import { CorruptStream } from '../shared/decider.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { LogTransparencyEvent } from './events.ts'

/** A transparency log: its name, and the keys that have signed its checkpoints, oldest first. */
export type NamedLog = {
  readonly origin: Text
  readonly vkeys: ReadonlyArray<Text>
  readonly begunAt: UnixMs
}

/** Oldest first. The last one is in use; those before it ended where the log went back. */
export type LogTransparencyState = { readonly logs: ReadonlyArray<NamedLog> }

export const initial: LogTransparencyState = { logs: [] }

/** The log that checkpoints are signed for; null before there is one. */
export const logInUse = ({ logs }: LogTransparencyState): NamedLog | null => logs.at(-1) ?? null

/** How many keys there have been, in all logs. */
export const keyCount = ({ logs }: LogTransparencyState): number =>
  logs.reduce((sum, { vkeys }) => sum + vkeys.length, 0)

export const evolve = (state: LogTransparencyState, { type, data }: LogTransparencyEvent): LogTransparencyState => {
  switch (type) {
    case 'TransparencyLogBegun': {
      const { origin, vkey, begunAt } = data
      return { logs: [...state.logs, { origin, vkeys: [vkey], begunAt }] }
    }
    case 'TransparencyKeyRotated': {
      const current = logInUse(state)
      if (current === null) throw new CorruptStream(type, 'absent')
      return { logs: [...state.logs.slice(0, -1), { ...current, vkeys: [...current.vkeys, data.vkey] }] }
    }
  }
}
