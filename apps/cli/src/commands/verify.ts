import { existsSync } from 'node:fs'
import type { RecordedHead } from '@quittance/event-store/eventstoredb'
import {
  isStoreFailure,
  NewerSchema,
  openDatabase,
  type Problem,
  verify as verifyLog,
} from '@quittance/event-store/sqlite'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, printable } from '../answer.ts'
import type { Command } from '../command.ts'
import { type Complaint, refused } from '../complaint.ts'
import { withServerLog } from '../server-log.ts'
import type { EventLog } from '../site.ts'

/** Whether the log is as it was written. */
export const verify: Command = {
  name: 'verify',
  summary: 'Proves that the event log is as it was written.',
  explanation: `Reads the whole event log and checks every hash, every chain, that nothing is missing in between, and the file itself.
It changes nothing, needs no key, and works on a copy, on a damaged file, and while the log is being written.
Of a log on a server it reads all events, and compares the ends that the read models beside it have recorded.
Every problem names the event that it was found at, where one can be named. A missing log is a problem too.`,
  options: [],
  example: {
    words: '',
    prints: `not ok: 1204 events, 1 problem
payment-pay_0350ocuGm5bGVg2XnNqJ1a @ 2: …`,
    json: `{"ok":false,"events":1204,"problems":[{"stream":"payment-pay_0350ocuGm5bGVg2XnNqJ1a","revision":2,"problem":"…"}]}
  and exit status 1; when all is well {"ok":true,"events":1204,"problems":[]} and exit status 0`,
  },
  run: (_, { eventLog }) => pipe(eventLog, TE.chain(verified)),
}

const verified = (log: EventLog): TE.TaskEither<Complaint, Answer> =>
  log._tag === 'file' ? verifiedFile(log.path) : verifiedServer(log.connectionString, log.readModels)

const verifiedFile = (path: string): TE.TaskEither<Complaint, Answer> =>
  TE.tryCatch(
    async () => {
      if (!existsSync(path)) return shown(0, [about(`there is no event log at ${path}`)])
      const { events, problems } = await verifyLog(path)
      return shown(events, problems)
    },
    (cause): Complaint => {
      if (cause instanceof NewerSchema) return refused('newer_schema', cause.message)
      throw cause
    },
  )

const verifiedServer = (connectionString: string, readModels: string): TE.TaskEither<Complaint, Answer> =>
  withServerLog(connectionString, (log) =>
    pipe(
      // Before the log, which holds all that read models have applied by then.
      TE.fromTask(() => headsIn(readModels)),
      TE.chain(({ heads, problems: unreadable }) =>
        pipe(
          log.verify(heads),
          TE.map(({ events, problems }) => shown(events, [...problems, ...unreadable])),
        ),
      ),
    ),
  )

/** The ends of the log that were recorded beside it. A file that cannot be read is a problem; a missing one is none. */
const headsIn = async (
  path: string,
): Promise<{ readonly heads: ReadonlyArray<RecordedHead>; readonly problems: ReadonlyArray<Problem> }> => {
  if (!existsSync(path)) return { heads: [], problems: [] }
  const { recordedHeads } = await import('@quittance/projections/rebuild')
  try {
    const database = openDatabase(path, { durability: 'full', readOnly: true })
    try {
      return { heads: recordedHeads(database), problems: [] }
    } finally {
      database.close()
    }
  } catch (cause) {
    if (!isStoreFailure(cause)) throw cause
    return { heads: [], problems: [about(`what was recorded of the log at ${path} cannot be read`)] }
  }
}

const about = (problem: string): Problem => ({ stream: null, revision: null, problem })

const shown = (events: number, problems: ReadonlyArray<Problem>): Answer => {
  const ok = problems.length === 0
  const verdict = `${ok ? 'ok' : 'not ok'}: ${counted(events, 'event')}, ${counted(problems.length, 'problem')}`
  const lines = problems.map(({ stream, revision, problem }) =>
    printable(stream === null ? problem : `${stream} @ ${revision}: ${problem}`),
  )
  return {
    status: ok ? 0 : 1,
    json: {
      ok,
      events,
      problems: problems.map(({ stream, revision, problem }) => ({
        stream,
        revision: revision === null ? null : Number(revision),
        problem,
      })),
    },
    text: [verdict, ...lines].join('\n'),
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
