import { described } from '@quittance/client/wire'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Answer } from './call.ts'
import { notFound } from './errors.ts'

/** The codec of records of which there are none. */
export const noRecord = described(
  new t.Type<unknown>('nothing', (input): input is unknown => t.never.is(input), t.failure, t.identity),
  'nothing',
  { not: {} },
)

/** A list that is empty. No id is that of a record of it. */
export const none = {
  list: () => T.of({ resources: [], hasMore: false }),
  retrieve: (): Answer<never> => TE.left({ _tag: 'CheckoutNotFound' }),
}

/** Answers as for an id that nothing has. */
export const nobodyHas = (what: string) => async (): Promise<never> => {
  throw notFound(what)
}
