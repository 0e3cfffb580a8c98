import { isStoreFailure, type Problem } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { messageOf } from '../command-error.ts'
import type { EventLog, Installation } from '../installation.ts'
import { progressLines } from '../progress.ts'
import type { Screen } from '../screen.ts'
import { openSource, withClosers } from './copy-logs.ts'

// A clock is asked for each line.
const eventsPerLine = 1_000

/** What the events say, beyond their hashes, and what could not be looked at. */
export type VerifiedContents = { readonly problems: ReadonlyArray<Problem>; readonly notChecked: ReadonlyArray<string> }

/**
 * Checks what hashes cannot show. A log or vault that cannot be read is a problem, not an error. Shows how many of the events were
 * read.
 */
export const verifyContents = (
  location: EventLog,
  { vaultToRead }: Installation,
  { events, screen }: { readonly events: number; readonly screen: Screen },
): Promise<VerifiedContents> =>
  withClosers(async (closers) => {
    const place = await vaultToRead()
    if (E.isLeft(place)) return unreadable(place.left.error)
    const source = await openSource(location, closers)
    if (E.isLeft(source)) return unreadable(source.left.error)
    const lines = progressLines(screen, () => performance.now())
    closers.push(lines.end)
    const onEvent = (done: number): void => {
      if (done % eventsPerLine === 0) lines.show({ model: 'contents', done, all: events, comparedRows: 0 })
    }
    try {
      const { findings, notChecked } = await place.right.host.checkedContents(source.right.log, place.right, onEvent)
      return { problems: findings, notChecked }
    } catch (cause) {
      if (!isStoreFailure(cause)) throw cause
      return unreadable(messageOf(cause))
    }
  })

const unreadable = (why: string): VerifiedContents => ({
  problems: [{ stream: null, revision: null, problem: `its contents cannot be checked: ${why}` }],
  notChecked: [],
})
