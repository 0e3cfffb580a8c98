import * as E from 'fp-ts/lib/Either.js'
import { type Answer, printable } from '../answer.ts'
import { type Command, mandatoryOption } from '../command.ts'
import { counted } from '../progress.ts'
import { placesOf } from './copy-places.ts'
import type { Beside, Copied } from './copy-work.ts'

/** The whole platform, moved to another kind of log, or to another place. */
export const copy: Command = {
  name: 'copy',
  summary: 'Copies the event log, and the data that belongs to it, to another store.',
  explanation: `A log is named by its data directory (or its file quittance.db), or by the connection string of a server; any other
.db file is a log alone. Events keep their order, ids, metadata and hashes. Claims, ledger cursors and to-do lists that
are in no log come along, and read models are made of the copy. Both logs are then proven and compared. What belongs to a
server's log is in QUITTANCE_DATA_DIR, or else in the directory of the other side. The service may run meanwhile: end it,
copy again, which copies the rest, change QUITTANCE_EVENT_STORE, and start it. A copy may be ended at any moment, and
goes on when it is started again. It refuses a target that holds anything else.`,
  options: [
    mandatoryOption('--from <log>', 'The log to copy: a data directory, a file, or esdb://…'),
    mandatoryOption('--to <log>', 'Where to: a data directory, a file, or esdb://…'),
  ],
  example: {
    words: '--from data --to esdb://127.0.0.1:2113?tls=false',
    prints: `ok: 1204 events in 402 streams, 1204 of them copied now; read models equal
The first start of a service with the other QUITTANCE_EVENT_STORE takes it over.`,
    json: `{"ok":true,"events":1204,"copied":1204,"streams":402,"problems":[],
  "read_models":[{"model":"payments","version":1,"rows":310,"differing":0,"differences":[]}],"beside":"at_first_start"}
  and exit status 0; 1 when the two differ, with {"log","stream","revision","problem"} for each problem`,
  },
  run:
    (given, { namedDataDir }, screen) =>
    async () => {
      const places = placesOf(given.required('from'), given.required('to'), namedDataDir)
      if (E.isLeft(places)) return places
      // Loaded only here: it brings both stores along, and help or a complaint should appear at once.
      const { copyPlatform } = await import('./copy-work.ts')
      return E.map(shown)(await copyPlatform(places.right.from, places.right.to, screen))
    },
}

const shown = ({ events, copied, streams, problems, models, beside }: Copied): Answer => {
  const differing = models.filter((model) => model.differing > 0)
  const ok = problems.length === 0 && differing.length === 0
  const sum = `${ok ? 'ok' : 'not ok'}: ${counted(events, 'event')} in ${counted(streams, 'stream')}, ${copied} of them copied now`
  const found = ok ? 'read models equal' : counted(problems.length + differing.length, 'problem')
  return {
    status: ok ? 0 : 1,
    json: {
      ok,
      events,
      copied,
      streams,
      problems: problems.map((each) => ({ ...each, revision: Number(each.revision) })),
      read_models: models,
      beside,
    },
    text: [
      `${sum}; ${found}`,
      ...problems.map(({ log, stream, revision, problem }) => printable(`${log}: ${stream} @ ${revision}: ${problem}`)),
      ...differing.map(({ model, differing: rows }) => `${model}: ${counted(rows, 'row')} differ`),
      ...(ok ? [besideLine(beside)] : []),
    ].join('\n'),
  }
}

const besideLine = (beside: Beside): string => {
  switch (beside) {
    case 'none':
      return 'The log alone was copied.'
    case 'in_place':
      return 'A service can be started on it.'
    case 'at_first_start':
      return 'The first start of a service with the other QUITTANCE_EVENT_STORE takes it over.'
  }
}
