import { Argument, Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { counted } from '../printing.ts'
import { attempted } from './backup-errors.ts'

export const restore: Command = {
  name: 'restore',
  summary: 'Puts a backup into the data directory, after proving it.',
  explanation: `Proves the backup, and copies it into the data directory, which no process may have open. Replaced files keep their content
under another name. A newer mark of the log in the directory stays, so that the service notices what was lost; so does
the sandbox's ledger. Put the master key in place first: QUITTANCE_MASTER_KEY, or the file master.key. Then start the
service. It ingests the ledgers since the backup, and sends nothing if the log went back, until a person runs
\`quittance restore accept\`.`,
  argument: new Argument('<directory>', 'A directory that `quittance backup` has made.'),
  options: [new Option('--force', 'Replaces the files of a data directory that is not empty.')],
  needsSoundLog: false,
  example: {
    words: '/backups/2026-11-23',
    prints: `ok: 1,204 events as of 2026-11-23T09:12:31.000Z, 3 files.
Start the service and look at /ready. If it says rolled_back: quittance restore accept --reason "…"`,
    json: '{"ok":true,"made_at":"2026-11-23T09:12:31.000Z","events":1204,"files":["quittance.db","sandbox.db","vault.db"],"replaced":[],"next":"start the service; if /ready says rolled_back: quittance restore accept"}',
  },
  run: async (line, { dataDir }) => {
    const opened = await dataDir()
    if (E.isLeft(opened)) return opened
    const { host, path, masterKey } = opened.right
    const [backup, isForced] = [line.required('directory'), line.isSet('force')]
    const restored = await attempted(() => host.restoreBackup(backup, path, masterKey, isForced))
    if (E.isLeft(restored)) return restored
    const { events, manifest, replaced } = restored.right
    const names = [...manifest.files, ...(manifest.segments ?? [])].map(({ name }) => name)
    const what = events === null ? 'without the log, which is on the server' : counted(events, 'event')
    return E.right({
      status: 0,
      json: {
        ok: true,
        made_at: manifest.madeAt,
        events,
        files: names,
        replaced,
        next: 'start the service; if /ready says rolled_back: quittance restore accept',
      },
      text: [
        `ok: ${what} as of ${manifest.madeAt}, ${counted(names.length, 'file')}.`,
        ...(replaced.length === 0 ? [] : [`Replaced, and kept as: ${replaced.join(', ')}`]),
        'Start the service and look at /ready. If it says rolled_back: quittance restore accept --reason "…"',
      ].join('\n'),
    })
  },
}
