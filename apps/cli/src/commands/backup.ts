import { resolve } from 'node:path'
import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { counted } from '../printing.ts'
import { attempted } from './backup-errors.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'Copies the data directory, also while it is served, and proves the copy.',
  explanation: `Copies the log with everything beside it, the vault and the sandbox's ledger to a new directory, each as of one moment,
and proves the copy: every hash and chain, that the vault opens, and that it has every key that the log needs. The
directory appears whole or not at all, for its owner alone. Segments of an archived log are copied once, to the folder
quittance-segments beside it, which all backups there share. The master key stays out, because it opens every key: keep it
elsewhere. A log on a server is backed up by the server's own means, after this directory.`,
  argument: new Argument('<directory>', 'Where to; it must not exist, or be empty.'),
  options: [],
  needsSoundLog: false,
  example: {
    words: '/backups/2026-11-23',
    prints: 'ok: 1,204 events, 3 files. The master key is not among them: keep it elsewhere.',
    json: '{"ok":true,"directory":"/backups/2026-11-23","made_at":"2026-11-23T09:12:31.000Z","events":1204,"files":["quittance.db","sandbox.db","vault.db"]}',
  },
  run: async (line, { dataDir }) => {
    const opened = await dataDir()
    if (E.isLeft(opened)) return opened
    const { host, files, isLogOnServer, masterKey } = opened.right
    const directory = resolve(line.required('directory'))
    const made = await attempted(() => host.makeBackup(files, isLogOnServer, directory, masterKey, () => new Date()))
    if (E.isLeft(made)) return made
    const { events, manifest } = made.right
    const names = [...manifest.files, ...(manifest.segments ?? [])].map(({ name }) => name)
    const what = events === null ? 'without the log, which is on the server' : counted(events, 'event')
    return E.right({
      status: 0,
      json: { ok: true, directory, made_at: manifest.madeAt, events, files: names },
      text: `ok: ${what}, ${counted(names.length, 'file')}. The master key is not among them: keep it elsewhere.`,
    })
  },
}
