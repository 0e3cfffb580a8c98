import type { EventStore } from '@quittance/event-store'
import { AlteredLog } from '@quittance/event-store/sqlite'
import type { Difference, RebuildFailure, Rebuilt } from '@quittance/projections/rebuild'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, printable, table } from '../answer.ts'
import { type Command, type Given, option } from '../command.ts'
import { type Complaint, misuse, refused } from '../complaint.ts'
import { counted, progressLines } from '../progress.ts'
import type { Screen } from '../screen.ts'
import { withServerLog } from '../server-log.ts'
import { misconfigured } from '../site.ts'

/** Read models, made again from the log. */
export const rebuild: Command = {
  name: 'rebuild',
  summary: 'Rebuilds read models from the event log, and compares them with the live ones.',
  explanation: `Lists and to-do lists are read models: tables that are made from the event log. This builds each of them beside the
live one, compares the two row by row, and puts the new one in place, in one step. The service goes on meanwhile.
It finds and heals rows that do not follow from the log, and builds a new release's read models before that is started.
It may be ended at any moment: the live tables stay as they are, and the next run begins again.`,
  options: [
    option('--model <name>', 'Only this one; all of them unless given.'),
    new Option('--compare-only', 'Leaves the live tables as they are.'),
  ],
  example: {
    words: '--model payments',
    prints: `MODEL     VERSION  EVENTS  ROWS  FOUND          SWITCHED
payments  1        1204    310   1 row differs  yes
payments pay_0350ocuGm5bGVg2XnNqJ1a: status, body`,
    json: `[{"model":"payments","version":1,"events":1204,"rows":310,"compared":true,"differing":1,
  "differences":[{"id":"pay_0350ocuGm5bGVg2XnNqJ1a","live":{…},"rebuilt":{…}}],"switched":true}]
  and exit status 1, as rows differed; at most 20 of a model are listed`,
  },
  run: (given, { eventLog }, screen) =>
    pipe(
      eventLog,
      TE.chain((log) =>
        log._tag === 'file'
          ? rebuilt(given, log.path, null, screen)
          : withServerLog(log.connectionString, (server) => rebuilt(given, log.readModels, server, screen)),
      ),
    ),
}

const rebuilt =
  (given: Given, path: string, log: EventStore | null, screen: Screen): TE.TaskEither<Complaint, Answer> =>
  async () => {
    // Loaded only here: it brings the SQL builder along, and help or another command should appear at once.
    const { modelNames, rebuild: rebuildModels } = await import('@quittance/projections/rebuild')
    const model = given.option('model')
    if (model !== null && !modelNames.includes(model))
      return E.left(misuse(`There is no read model ${model}. There are: ${modelNames.join(', ')}.`, 'rebuild'))

    const lines = progressLines(screen, () => performance.now())
    const outcome = await rebuildModels({
      path,
      log,
      models: model === null ? null : [model],
      compareOnly: given.isSet('compare-only'),
      onProgress: lines.show,
    })()
    lines.end()
    return E.bimap((failure: RebuildFailure) => complaintOf(failure, path, log !== null), shown)(outcome)
  }

const complaintOf = (failure: RebuildFailure, path: string, isOnServer: boolean): Complaint => {
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
      return refused('already_rebuilding', 'Another rebuild is under way in this directory: wait for its end.')
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

const shown = (models: ReadonlyArray<Rebuilt>): Answer => ({
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
  const lines = differences.map((difference) => printable(`${model} ${difference.id}: ${words(difference)}`))
  const more = differing - differences.length
  return more > 0 ? [...lines, `${model}: and ${counted(more, 'other')}`] : lines
}

const words = ({ live, rebuilt: row }: Difference): string => {
  if (live === null) return 'is missing'
  if (row === null) return 'does not follow from the log'
  return Object.keys(row)
    .filter((column) => live[column] !== row[column])
    .join(', ')
}
