import { existsSync } from 'node:fs'
import type { RecordedHead } from '@quittance/event-store/eventstoredb'
import {
  isStoreFailure,
  NewerSchema,
  openDatabase,
  type Problem,
  verify as verifyLog,
} from '@quittance/event-store/sqlite'
import { Argument, Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, option } from '../command.ts'
import { type CommandError, messageOf, refused, usageError } from '../command-error.ts'
import type { EventLog } from '../installation.ts'
import { counted, printable } from '../printing.ts'
import { withServerLog } from '../server-log.ts'
import { type Against, againstCheckpoints } from './verify-against.ts'
import { type VerifiedAnchors, verifyAnchors } from './verify-anchors.ts'
import { verifyContents } from './verify-contents.ts'
import { verifyFileOf, witnessesOption } from './verify-file.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'Proves that the event log is as it was written.',
  explanation: `Reads the whole event log, and checks every hash and every chain, that no event is missing in between, and the file
itself; then whether the vault is the one of the log, which needs its master key. It changes nothing, says what it could not
check, and works on a copy, on a damaged file, and while the log is being written.
In PostgreSQL it reads all events and checks the tables. It reads all events of a log on a server, and compares the log with the heads that the read models beside it recorded.
Each problem names its event if there is one. A missing log is a problem too.
Whoever can write the whole log can compute its chains again. So it is compared with every checkpoint that was signed of it and
is kept outside of it: those of the data directory, or the one that you have kept and give with --against.
With a file of evidence it verifies that instead, offline: it reads no log, and needs the key of the log. --anchors then asks the
ledgers whether they hold what names its checkpoints, and since when.`,
  argument: new Argument('[evidence]', 'A file of evidence about a payment, a subscription or a customer.'),
  options: [
    option('--against <file>', 'A checkpoint that was signed earlier, as `quittance checkpoint --out` writes it.'),
    option(
      '--key <vkey>',
      'The verifier key of the log, as you know it: checkpoints that it has not signed are problems.',
    ),
    witnessesOption,
    new Option(
      '--anchors',
      'Looks on the ledger for every checkpoint that the log, or the evidence, says to be there.',
    ),
  ],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `not ok: 1,204 events, 1 problem
payment-pay_0350ocuGm5bGVg2XnNqJ1a @ 2: …`,
    json: `{"ok":false,"events":1204,"problems":[{"stream":"payment-pay_0350ocuGm5bGVg2XnNqJ1a","revision":2,"problem":"…"}],"not_checked":[]}
  and exit status 1; when all is well {"ok":true,"events":1204,"problems":[],"not_checked":[]} and exit status 0`,
  },
  run: async (line, installation, screen) => {
    const file = line.option('evidence')
    const given = file === null ? 'witnesses' : 'against'
    if (line.option(given) !== null)
      return E.left(usageError(`--${given} is for ${file === null ? 'evidence' : 'the log'} alone.`))
    if (file !== null) return verifyFileOf(file, line, installation)
    const log = await installation.eventLog()
    if (E.isLeft(log)) return log
    const hashes = await verifyHashes(log.right)
    if (E.isLeft(hashes)) return hashes
    const against = await againstCheckpoints(line, log.right)
    if (E.isLeft(against)) return against
    const anchors = line.isSet('anchors') ? await verifyAnchors(log.right, installation) : null
    const { events, problems } = hashes.right
    // What is altered already has no contents to judge.
    const contents =
      problems.length > 0
        ? { problems, notChecked: [contentsUnjudged] }
        : await verifyContents(log.right, installation, { events, screen })
    return E.right(resultOf(events, contents, against.right, anchors))
  },
}

const contentsUnjudged = 'what the events say, since the log is not as it was written'

type Hashes = { readonly events: number; readonly problems: ReadonlyArray<Problem> }
type Result = Promise<E.Either<CommandError, Hashes>>

const verifyHashes = (log: EventLog): Result => {
  switch (log._tag) {
    case 'file':
      return verifyFile(log.path)
    case 'server':
      return verifyServer(log.connectionString, log.readModels)
    case 'database':
      return verifyDatabase(log.connectionString)
  }
}

const verifyFile = async (path: string): Result => {
  if (!existsSync(path)) return E.right({ events: 0, problems: [about(`there is no event log at ${path}`)] })
  try {
    const { events, problems } = await verifyLog(path)
    return E.right({ events, problems })
  } catch (cause) {
    if (cause instanceof NewerSchema) return E.left(refused('newer_schema', cause.message))
    throw cause
  }
}

const verifyDatabase = async (connectionString: string): Result => {
  // Loaded only here: no other command needs the driver.
  const postgres = await import('@quittance/event-store/postgres')
  try {
    const { events, problems } = await postgres.verify({ connectionString })
    return E.right({ events, problems })
  } catch (cause) {
    if (cause instanceof NewerSchema) return E.left(refused('newer_schema', cause.message))
    if (!isStoreFailure(cause)) throw cause
    return E.left(refused('store_unavailable', printable(`The database cannot be read (${messageOf(cause)}).`)))
  }
}

const verifyServer = (connectionString: string, readModels: string): Result =>
  withServerLog(connectionString, async (log) => {
    // Read before the log, which then holds every event that read models have applied.
    const { heads, problems: unreadable } = await headsIn(readModels)
    const verified = await log.verify(heads)()
    if (E.isLeft(verified)) return verified
    const { events, problems } = verified.right
    return E.right({ events, problems: [...problems, ...unreadable] })
  })

/** The heads of the log that read models recorded. An unreadable file is a problem; a missing one is not. */
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

const resultOf = (
  events: number,
  contents: { readonly problems: ReadonlyArray<Problem>; readonly notChecked: ReadonlyArray<string> },
  against: Against,
  anchors: VerifiedAnchors | null,
): CommandResult => {
  const notChecked = [...contents.notChecked, ...(anchors?.notChecked ?? [])]
  const { checkpoints } = against
  const problems = [...contents.problems, ...against.problems, ...(anchors?.problems ?? [])]
  const ok = problems.length === 0
  const compared = checkpoints === 0 ? '' : `, compared with ${counted(checkpoints, 'checkpoint')}`
  const onLedger = anchors === null ? '' : `, ${counted(anchors.confirmed, 'anchor')} on the ledger`
  const verdict = `${ok ? 'ok' : 'not ok'}: ${counted(events, 'event')}, ${counted(problems.length, 'problem')}${compared}${onLedger}`
  const lines = problems.map(({ stream, revision, problem }) =>
    printable(stream === null ? problem : `${stream} @ ${revision}: ${problem}`),
  )
  return {
    status: ok ? 0 : 1,
    json: {
      ok,
      events,
      ...(checkpoints === 0 ? {} : { checkpoints }),
      ...(anchors === null ? {} : { anchors: anchors.confirmed }),
      problems: problems.map(({ stream, revision, problem }) => ({
        stream,
        revision: revision === null ? null : Number(revision),
        problem,
      })),
      not_checked: notChecked,
    },
    text: [verdict, ...lines, ...notChecked.map((what) => printable(`not checked: ${what}`))].join('\n'),
  }
}
