import type { RecordedEvent } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'

/**
 * Makes all rows of an export in memory. An event at which a read model stops could never be taken out of the log again, and
 * the installation would not open any more. `take` throws what the read model throws.
 */
export const openRehearsal = () => {
  const database = openDatabase(':memory:', { durability: 'full' })
  const writers = inlineProjections.map((projection) => {
    projection.create(database)
    return projection.prepare(database)
  })
  let position = 0n
  return {
    take: (event: RecordedEvent): void => {
      position += 1n
      for (const write of writers) write({ ...event, position })
    },
    close: (): void => database.close(),
  }
}
