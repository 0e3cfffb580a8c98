import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { BeginTransparencyLog, LogTransparencyCommand, RotateTransparencyKey } from './commands.ts'
import type { LogTransparencyEvent } from './events.ts'
import type { LogTransparencyRejection } from './rejections.ts'
import { type LogTransparencyState, logInUse } from './state.ts'

type Decision = E.Either<LogTransparencyRejection, ReadonlyArray<LogTransparencyEvent>>

const begin = ({ type: _, ...data }: BeginTransparencyLog, { logs }: LogTransparencyState): Decision => {
  // Whoever begins without a reason wants a log to be there. Names are never used again.
  const isThere = data.reason === null ? logs.length > 0 : logs.some(({ origin }) => origin === data.origin)
  return isThere ? nothing : E.right([{ type: 'TransparencyLogBegun', data }])
}

const rotate = ({ type: _, ...data }: RotateTransparencyKey, state: LogTransparencyState): Decision => {
  const current = logInUse(state)
  if (current === null) return E.left({ _tag: 'NoTransparencyLog' })
  return current.vkeys.includes(data.vkey) ? nothing : E.right([{ type: 'TransparencyKeyRotated', data }])
}

export const decide =
  (command: LogTransparencyCommand) =>
  (state: LogTransparencyState): Decision => {
    switch (command.type) {
      case 'BeginTransparencyLog':
        return begin(command, state)
      case 'RotateTransparencyKey':
        return rotate(command, state)
    }
  }
