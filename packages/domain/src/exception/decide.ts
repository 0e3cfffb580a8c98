import * as E from 'fp-ts/lib/Either.js'
import { isSame } from '../shared/equality.ts'
import type { ExceptionCommand } from './commands.ts'
import type { ExceptionEvent } from './events.ts'
import type { ExceptionRejection } from './rejections.ts'
import type { ExceptionState } from './state.ts'

type Decision = E.Either<ExceptionRejection, ReadonlyArray<ExceptionEvent>>

export const decide =
  ({ type: _, ...details }: ExceptionCommand) =>
  (state: ExceptionState): Decision => {
    if (state.status === 'absent') return E.right([{ type: 'ExceptionOpened', data: details }])
    return isSame(state.details, details)
      ? E.right([])
      : E.left({ _tag: 'ExceptionAlreadyOpen', details: state.details })
  }
