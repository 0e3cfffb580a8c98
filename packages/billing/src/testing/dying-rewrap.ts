import { openDatabase } from '@quittance/event-store/sqlite'
import { rewrapVault } from '../stores/vault/rewrap-vault.ts'
import { countedWrites } from './counted-writes.ts'

/** Rewraps the vault `path` from the key of 1s to the key of 2s, and dies right before the statement of that number. */
const [path = '', last = ''] = process.argv.slice(2)
const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const database = openDatabase(path, { durability: 'full', secureDelete: true })
let statements = 0
const count = (): void => {
  if (statements === Number(last)) process.kill(process.pid, 'SIGKILL')
  statements += 1
}

rewrapVault(countedWrites(database, count), keyOf(1), keyOf(2))
count()
database.close()
