import { join } from 'node:path'
import { openDatabase, sqlitePrograms } from '@quittance/event-store/sqlite'
import { describeHalts } from './testing/halting-platforms.ts'

describeHalts('one file', () => ({
  settings: {},
  run: async (folder, program) => {
    const database = openDatabase(join(folder, 'quittance.db'), { durability: 'full' })
    await sqlitePrograms(database).run(program)
    database.close()
  },
}))
