import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, mandatoryOption } from '../command.ts'
import { counted, printable } from '../printing.ts'
import type { CompanionState } from './copy-finish.ts'
import { locationsOf } from './copy-locations.ts'
import type { Copied } from './copy-work.ts'

export const copy: Command = {
  name: 'copy',
  summary: 'Copies the event log, and the data that belongs to it, to another store.',
  explanation: `Name a log by its data directory (or its file quittance.db), or by the connection string of a server or of PostgreSQL; any
other .db file is a log alone. Events keep their order, ids, metadata and hashes. The copy includes claims, ledger
cursors and to-do lists, which are in no log, and gets its own read models. PostgreSQL gets the vault too, if the master
key opens it. Then both logs are proven and compared. The data directory of a log on a server or in PostgreSQL is
QUITTANCE_DATA_DIR, else the directory of the other side. The service may run meanwhile: end it, copy again, which copies
the rest, change QUITTANCE_EVENT_STORE or QUITTANCE_DATABASE_URL, and start the service. A copy may be ended at any
moment, and goes on when it is started again. It refuses a target that holds anything else.`,
  options: [
    mandatoryOption('--from <log>', 'The log to copy: a data directory, a file, esdb://…, or postgres://…'),
    mandatoryOption('--to <log>', 'Where to: a data directory, a file, esdb://…, or postgres://…'),
  ],
  needsSoundLog: false,
  example: {
    words: '--from data --to esdb://127.0.0.1:2113?tls=false',
    prints: `ok: 1,204 events in 402 streams, 1204 of them copied now; read models equal
A service takes the copy over at its first start with the other QUITTANCE_EVENT_STORE.`,
    json: `{"ok":true,"events":1204,"copied":1204,"streams":402,"problems":[],
  "read_models":[{"model":"payments","version":1,"rows":310,"differing":0,"differences":[]}],"beside":"at_first_start"}
  and exit status 0; 1 when the two differ, with {"log","stream","revision","problem"} for each problem`,
  },
  run: async (line, { namedDataDir, secretFrom }, screen) => {
    const locations = locationsOf(line.required('from'), line.required('to'), namedDataDir)
    if (E.isLeft(locations)) return locations
    // Loaded only here: it loads both stores, and help and errors should appear at once.
    const { copyPlatform } = await import('./copy-work.ts')
    const { from, to } = locations.right
    const secrets = {
      masterKey: (await secretFrom('env', 'QUITTANCE_MASTER_KEY')) || null,
      vaultUrl: (await secretFrom('env', 'QUITTANCE_VAULT_URL')) || null,
    }
    const copied = await copyPlatform(from, to, secrets, screen)
    return E.isLeft(copied) ? copied : E.right(resultOf(copied.right))
  },
}

const resultOf = ({ events, copied, streams, problems, models, companion }: Copied): CommandResult => {
  const differing = models.filter((model) => model.differing > 0)
  const ok = problems.length === 0 && differing.length === 0
  const totals = `${ok ? 'ok' : 'not ok'}: ${counted(events, 'event')} in ${counted(streams, 'stream')}, ${copied} of them copied now`
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
      beside: companion,
    },
    text: [
      `${totals}; ${found}`,
      ...problems.map(({ log, stream, revision, problem }) => printable(`${log}: ${stream} @ ${revision}: ${problem}`)),
      ...differing.map(({ model, differing: rows }) => `${model}: ${counted(rows, 'row')} differ`),
      ...(ok ? [companionText(companion)] : []),
    ].join('\n'),
  }
}

const companionText = (companion: CompanionState): string => {
  switch (companion) {
    case 'none':
      return 'Only the log was copied.'
    case 'in_place':
      return 'A service can start on the copy.'
    case 'at_first_start':
      return 'A service takes the copy over at its first start with the other QUITTANCE_EVENT_STORE.'
  }
}
