import { existsSync } from 'node:fs'
import {
  AlteredLog,
  type ArchivedLog,
  archiveLog,
  compactLog,
  isStoreFailure,
  NewerSchema,
} from '@quittance/event-store/sqlite'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, option } from '../command.ts'
import { type CommandError, messageOf, refused, usageError } from '../command-error.ts'
import { counted, grouped, printable } from '../printing.ts'
import type { Screen } from '../screen.ts'

export const archive: Command = {
  name: 'archive',
  summary: 'Moves closed years of the event log into sealed files of their own.',
  explanation: `Moves the events that were recorded before a month into read-only files beside the log, in the folder segments, so that
the log's file stays small. Everything goes on reading them, and \`quittance verify\` proves them. Each file is proven and on
the disk before its events leave the log's file. The service may run meanwhile. It may be ended at any moment, and goes on
when it is started again. The last event stays where it is. Unused pages go back to the disk; a file that an earlier release
has made needs --compact once for that, while no service runs.`,
  options: [
    option(
      '--before <month>',
      'The first day of a month (UTC), such as 2026-01-01. Unless given: the start of last year.',
    ),
    new Option('--compact', "Instead: gives back the unused pages of the log's file, which no process may have open."),
  ],
  needsSoundLog: false,
  example: {
    words: '--before 2026-01-01',
    prints: `ok: 1,204 events archived, in 1 segment; the log's file has 262,144 bytes, before 2,097,152
events-1-1204-3f1c9a5be2d07846.db`,
    json: `{"archived":1204,"segments":[{"first":1,"last":1204,"file":"events-1-1204-3f1c9a5be2d07846.db",
  "sha256":"3f1c…","bytes":1835008}],"bytes_before":2097152,"bytes_after":262144,"free_bytes":0}`,
  },
  run: async (line, { eventLog }, screen) => {
    const log = await eventLog()
    if (E.isLeft(log)) return log
    if (log.right._tag !== 'file')
      return E.left(refused('log_on_server', 'The log is on a server, which archives by its own means.'))
    const { path } = log.right
    if (!existsSync(path)) return E.left(refused('no_event_log', `There is no event log at ${path}.`))
    if (line.isSet('compact')) return attempted(async () => compacted(path))
    const before = startOfMonth(line.option('before') ?? startOfLastYear())
    return before === null
      ? E.left(usageError('--before must be the first day of a month, such as 2026-01-01.'))
      : archived(path, before, screen)
  },
}

const startOfLastYear = (): string => `${new Date().getUTCFullYear() - 1}-01-01`

const startOfMonth = (text: string): number | null => {
  const moment = /^\d{4}-\d{2}-01$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(moment) ? null : moment
}

type Result = E.Either<CommandError, CommandResult>

const archived = (path: string, before: number, { write }: Screen): Promise<Result> =>
  attempted(async () => {
    const done = await archiveLog({
      path,
      before,
      clock: Date.now,
      onSegment: ({ name, first, last }) => write(`sealed ${name}: ${counted(last - first + 1, 'event')}\n`),
    })
    return done === null
      ? E.left(refused('already_archiving', 'Another process archives this log: wait for its end.'))
      : E.right(resultOf(done))
  })

const attempted = async (work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof NewerSchema) return E.left(refused('newer_schema', cause.message))
    if (cause instanceof AlteredLog)
      return E.left(refused('altered_log', printable(`${cause.message}. \`quittance verify\` tells more.`)))
    if (isStoreFailure(cause) || (cause instanceof Error && 'syscall' in cause))
      return E.left(refused('store_unavailable', printable(`Nothing is lost: ${messageOf(cause)}. Run it again.`)))
    throw cause
  }
}

const resultOf = ({ sealed, bytesBefore, bytesAfter, freeBytes }: ArchivedLog): CommandResult => {
  const events = sealed.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const sizes = `the log's file has ${counted(bytesAfter, 'byte')}, before ${grouped(bytesBefore)}`
  const free = `${counted(freeBytes, 'byte')} of it are unused: later events fill them, and \`quittance archive --compact\` gives them back.`
  return {
    status: 0,
    json: {
      archived: events,
      segments: sealed.map(({ first, last, name, sha256, bytes }) => ({ first, last, file: name, sha256, bytes })),
      bytes_before: bytesBefore,
      bytes_after: bytesAfter,
      free_bytes: freeBytes,
    },
    text: [
      `ok: ${counted(events, 'event')} archived, in ${counted(sealed.length, 'segment')}; ${sizes}`,
      ...sealed.map(({ name }) => name),
      ...(freeBytes > 0 ? [free] : []),
    ].join('\n'),
  }
}

const compacted = (path: string): Result => {
  const done = compactLog(path)
  if (done === null) return E.left(refused('target_in_use', 'Another process has the log open: end the service first.'))
  const { bytesBefore, bytesAfter } = done
  return E.right({
    status: 0,
    json: { bytes_before: bytesBefore, bytes_after: bytesAfter },
    text: `ok: the log's file has ${counted(bytesAfter, 'byte')}, before ${grouped(bytesBefore)}`,
  })
}
