import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Sealed } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import * as O from 'fp-ts/lib/Option.js'
import { sqliteVault } from '../../stores/vault/sqlite-vault.ts'
import { filesIn, temporaryFolder } from '../../testing/platform.ts'
import { masterKey } from '../../testing/stores.ts'

const script = fileURLToPath(new URL('../../testing/dying-creator.ts', import.meta.url))

describe('a process that is killed while it creates customers', () => {
  it.each([17, 20, 31])(
    'leaves no customer without the key of its profile, killed after append %i of 32',
    async (appends) => {
      const folder = temporaryFolder()
      const died = spawnSync(process.execPath, ['--no-warnings', script, folder.path, '16', String(appends)])
      expect([died.signal, String(died.stderr)]).toEqual(['SIGKILL', ''])

      const files = filesIn(folder.path)
      const log = sqliteEventStore({ path: files.events, clock: Date.now, projections: [], readOnly: true })
      const database = openDatabase(files.vault, { durability: 'full', secureDelete: true })
      const vault = sqliteVault(database, masterKey, false)
      const opened: Array<unknown> = []
      for await (const { stream, data } of log.readAll(0n, { streamPrefixes: ['customer-'] })) {
        opened.push(
          O.toNullable(await vault.unseal(stream.slice('customer-'.length), decoded(Sealed, data.profile)))?.name,
        )
      }
      expect(opened.length).toBeGreaterThan(0)
      expect(opened).toEqual(opened.map(() => 'Ada Lovelace'))
      log.close()
      database.close()
      folder.remove()
    },
  )
})
