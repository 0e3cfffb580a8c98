import { openDatabase } from '@quittance/event-store/sqlite'
import { erasedSubjectsFile } from '../stores/vault/erased-subjects.ts'
import { sqliteVault } from '../stores/vault/sqlite-vault.ts'
import { masterKey } from './stores.ts'

/** Runs as its own process: erases a subject, and dies between the list and the key. */
const [, , path = '', listPath = '', subject = ''] = process.argv
const list = erasedSubjectsFile(listPath)
const dying = {
  ...list,
  add: (subjects: ReadonlyArray<string>) => {
    list.add(subjects)
    if (subjects.includes(subject)) process.kill(process.pid, 'SIGKILL')
  },
}
await sqliteVault(openDatabase(path, { durability: 'full', secureDelete: true }), masterKey, true, dying).erase(subject)
process.stdout.write('erased')
