import type { EventStore } from '@quittance/event-store'
import { AlteredLog } from '@quittance/event-store/sqlite'
import type { Difference, RebuildFailure, Rebuilding, Rebuilt } from '@quittance/projections/rebuild'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Command, type CommandResult, option, type ParsedLine } from '../command.ts'
import { type CommandError, refused, usageError } from '../command-error.ts'
import { type EventLog, misconfigured } from '../installation.ts'
import { counted, printable, table } from '../printing.ts'
import { progressLines } from '../progress.ts'
import type { Screen } from '../screen.ts'
import { withServerLog } from '../server-log.ts'

export const rebuild: Command = {
  name: 'rebuild',
  summary: 'Rebuilds read models from the event log, and compares them with the live ones.',
  explanation: `Read models are tables that are derived from the event log. This builds each of them beside the live one, compares the
two row by row, and replaces the live one in a single step. The service may run meanwhile.
It finds and heals rows that do not follow from the log, and builds the read models of a new release before its start.
It may be ended at any moment: the live tables stay as they are, and the next run starts from the beginning.`,
  options: [
    option('--model <name>', 'Only this one; all unless given.'),
    new Option('--compare-only', 'Leaves the live tables as they are.'),
  ],
  needsSoundLog: false,
  example: {
    words: '--model payments',
    prints: `MODEL     VERSION  EVENTS  ROWS  FOUND          SWITCHED
payments  1        1204    310   1 row differs  yes
payments pay_0350ocuGm5bGVg2XnNqJ1a: status, body`,
    json: `[{"model":"payments","version":1,"events":1204,"rows":310,"compared":true,"differing":1,
  "differences":[{"id":"pay_0350ocuGm5bGVg2XnNqJ1a","live":{…},"rebuilt":{…}}],"switched":true}]
  and exit status 1, as rows differed; at most 20 of a model are listed`,
  },
  run: async (line, { eventLog }, screen) => {
    const log = await eventLog()
    if (E.isLeft(log)) return log
    switch (log.right._tag) {
      case 'file':
        return rebuildIn(log.right.path, null, line, screen)
      case 'server': {
        const { connectionString, readModels } = log.right
        return withServerLog(connectionString, (server) => rebuildIn(readModels, server, line, screen))
      }
      case 'database':
        return rebuildInDatabase(log.right.connectionString, line, screen)
    }
  },
}

type Result = Promise<E.Either<CommandError, CommandResult>>
type Where = EventLog['_tag']

/** Rebuilds the read models in a file. `log` is null if the file also holds the log. */
const rebuildIn = async (path: string, log: EventStore | null, line: ParsedLine, screen: Screen): Result => {
  // Loaded only here: no other command needs the SQL builder.
  const { rebuild: rebuildModels } = await import('@quittance/projections/rebuild')
  const where = log === null ? 'file' : 'server'
  return asked(line, screen, where, path, (wanted) => rebuildModels({ path, log, ...wanted }))
}

const rebuildInDatabase = async (connectionString: string, line: ParsedLine, screen: Screen): Result => {
  const { postgresRebuild } = await import('@quittance/projections/postgres')
  return asked(line, screen, 'database', 'QUITTANCE_DATABASE_URL', (wanted) =>
    postgresRebuild({ connectionString, ...wanted }),
  )
}

/** Rebuilds the read models that a line names, and shows how far it is. */
const asked = async (
  line: ParsedLine,
  screen: Screen,
  where: Where,
  place: string,
  rebuilding: (
    wanted: Pick<Rebuilding, 'models' | 'compareOnly' | 'onProgress'>,
  ) => TaskEither<RebuildFailure, ReadonlyArray<Rebuilt>>,
): Result => {
  const { modelNames } = await import('@quittance/projections/rebuild')
  const model = line.option('model')
  if (model !== null && !modelNames.includes(model))
    return E.left(usageError(`There is no read model ${model}. There are: ${modelNames.join(', ')}.`))
  const lines = progressLines(screen, () => performance.now())
  const models = model === null ? null : [model]
  const rebuilt = await rebuilding({ models, compareOnly: line.isSet('compare-only'), onProgress: lines.show })()
  lines.end()
  return E.isLeft(rebuilt) ? E.left(errorOf(rebuilt.left, place, where)) : E.right(resultOf(rebuilt.right))
}

const errorOf = (failure: RebuildFailure, path: string, where: Where): CommandError => {
  const isOnServer = where === 'server'
  switch (failure._tag) {
    case 'NothingToRebuild':
      return isOnServer
        ? refused('no_read_models', `There are no read models at ${path}: the service makes them when it starts.`)
        : refused('no_event_log', `There is no event log at ${path}.`)
    case 'NewerSchema':
      return refused('newer_schema', failure.message)
    case 'OtherLog':
      return misconfigured([
        { variable: 'QUITTANCE_EVENT_STORE', expected: 'the event store that the data directory was written beside' },
      ])
    case 'AlreadyRebuilding':
      return refused('already_rebuilding', 'Another rebuild is running in this directory: wait for its end.')
    case 'StoreUnavailable':
      return failure.cause instanceof AlteredLog
        ? refused('altered_log', `${failure.cause.message}. \`quittance verify\` tells more.`)
        : refused(
            'store_unavailable',
            isOnServer
              ? 'The event store cannot be read, or the read models beside it cannot be used.'
              : 'The event log cannot be used (disk, lock or file).',
          )
  }
}

const resultOf = (models: ReadonlyArray<Rebuilt>): CommandResult => ({
  status: models.some(({ differing }) => differing > 0) ? 1 : 0,
  json: models,
  text: [
    table([
      ['MODEL', 'VERSION', 'EVENTS', 'ROWS', 'FOUND', 'SWITCHED'],
      ...models.map((each) => [
        each.model,
        String(each.version),
        String(each.events),
        String(each.rows),
        finding(each),
        each.switched ? 'yes' : 'no',
      ]),
    ]),
    ...models.flatMap(differenceLines),
  ].join('\n'),
})

const finding = ({ compared, differing }: Rebuilt): string => {
  if (!compared) return 'no table yet'
  return differing === 0 ? 'equal' : `${counted(differing, 'row')} ${differing === 1 ? 'differs' : 'differ'}`
}

const differenceLines = ({ model, differing, differences }: Rebuilt): ReadonlyArray<string> => {
  const lines = differences.map((difference) => printable(`${model} ${difference.id}: ${changeIn(difference)}`))
  const more = differing - differences.length
  return more > 0 ? [...lines, `${model}: and ${counted(more, 'other')}`] : lines
}

const changeIn = ({ live, rebuilt: row }: Difference): string => {
  if (live === null) return 'is missing'
  if (row === null) return 'does not follow from the log'
  return Object.keys(row)
    .filter((column) => live[column] !== row[column])
    .join(', ')
}
