import { openDatabase } from '@quittance/event-store/sqlite'
import { rewrapVault } from '../stores/vault/rewrap-vault.ts'

/** Rewraps the vault `path` from the key of 1s to the key of 2s, and dies right before the statement of that number. */
const [path = '', last = ''] = process.argv.slice(2)
const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const database = openDatabase(path, { durability: 'full', secureDelete: true })
let statements = 0
const count = (): void => {
  if (statements === Number(last)) process.kill(process.pid, 'SIGKILL')
  statements += 1
}

rewrapVault(
  {
    ...database,
    execute: (sql) => {
      count()
      database.execute(sql)
    },
    prepare: (sql) => {
      const statement = database.prepare(sql)
      return {
        ...statement,
        run: (...parameters) => {
          count()
          return statement.run(...parameters)
        },
      }
    },
    // The commit is a step too.
    transaction: (work) =>
      database.transaction(() => {
        const done = work()
        count()
        return done
      }),
  },
  keyOf(1),
  keyOf(2),
)
count()
database.close()
