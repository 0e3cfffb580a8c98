import { openDatabase } from '@quittance/event-store/sqlite'

// Holds the lock of a database file until its standard input ends.
const database = openDatabase(process.argv[2] ?? '', { durability: 'full' })
database.execute('BEGIN EXCLUSIVE')
process.stdout.write('held')
process.stdin.resume().once('end', () => {
  database.execute('COMMIT')
  database.close()
})
