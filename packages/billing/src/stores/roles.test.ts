import { join } from 'node:path'
import { sqliteEventStore, sqlitePrograms } from '@quittance/event-store/sqlite'
import { temporaryFolder } from '../testing/platform.ts'
import { describeRoles } from './testing/role-suite.ts'

describeRoles(
  'SQLite',
  async (processes) => {
    const folder = temporaryFolder()
    const path = join(folder.path, 'quittance.db')
    return Array.from({ length: processes }, (_, n) => {
      const store = sqliteEventStore({
        path,
        clock: Date.now,
        projections: [],
        durability: 'relaxedLosesCommitsOnPowerLoss',
      })
      const close = async () => {
        store.close()
        if (n === 0) folder.remove()
      }
      return { sql: sqlitePrograms(store.writer), store, close }
    })
  },
  60,
)
