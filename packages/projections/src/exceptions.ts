import { Exception, ExceptionDetails, ExceptionId, type RecordedEvent, UnixMs, unixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** Money that does not fit, waiting for its end. */
export const ExceptionRow = t.strict({
  details: ExceptionDetails,
  status: t.keyof({ open: null }),
  createdAt: UnixMs,
})
export type ExceptionRow = t.TypeOf<typeof ExceptionRow>

const decode = decodedBy(Exception)

const fold = (_row: O.Option<ExceptionRow>, recorded: RecordedEvent): O.Option<ExceptionRow> => {
  const event = decode(recorded)
  switch (event.type) {
    case 'ExceptionOpened':
      return O.some({ details: event.data, status: 'open', createdAt: unixMs(recorded.metadata.occurredAt) })
  }
}

export const exceptions: ReadModel<ExceptionRow> = {
  name: 'exceptions',
  version: 1,
  category: Exception.category,
  row: ExceptionRow,
  ids: ExceptionId,
  fold,
  columns: ({ status, details }) => ({ status, lookupKey: details.checkoutId }),
}
