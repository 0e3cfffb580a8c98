import fc from 'fast-check'
import { inlineProjections, rowWriters } from '../read-models.ts'
import { anyHistory, write } from '../testing/any-history.ts'
import { openLog } from '../testing/log.ts'
import { allRows } from '../testing/tables.ts'
import { inlineMarks } from './live-table.ts'
import { fileFeed } from './log-feed.ts'
import { rebuildModel } from './rebuild-model.ts'

describe('a rebuilt read model', () => {
  it('has the rows of the live one, for any history and in batches of any size', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async (history) => {
        const each = openLog(inlineProjections)
        await write(each, history)
        const live = allRows(each.store.reader)
        for (const batchSize of [1, 7, 1_000]) {
          for (const writer of rowWriters) {
            const database = each.store.writer
            const site = {
              database,
              marks: inlineMarks(database),
              feedOf: ({ category }: { readonly category: string | null }) => fileFeed(database, category, batchSize),
            }
            const rebuilt = await rebuildModel(site, writer, { compareOnly: false, onProgress: () => {} })
            expect(rebuilt).toEqual({
              model: writer.name,
              version: writer.version,
              events: expect.any(Number),
              rows: live[writer.name]?.length,
              compared: true,
              differing: 0,
              differences: [],
              switched: true,
            })
          }
          expect(allRows(each.store.reader)).toEqual(live)
        }
        each.store.close()
      }),
      { numRuns: 12, seed: 20_261_101 },
    )
  })
})
