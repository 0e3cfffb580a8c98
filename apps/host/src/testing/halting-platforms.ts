import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqlProgram } from '@quittance/event-store'
import { changesOf } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { openPlatform } from '../composition/open-platform.ts'
import { configFrom } from '../config.ts'

/** What a suite of halts gives: settings of a platform beside its data directory, and how to reach its database. */
export type HaltingStore = {
  readonly settings: Readonly<Record<string, string>>
  readonly run: (folder: string, program: SqlProgram<unknown>) => Promise<void>
}

/** The rule of halts for two processes on one store, of which only the first one ingests. */
export const describeHalts = (storeName: string, store: () => HaltingStore): void => {
  describe(`two processes on ${storeName}`, () => {
    let folder: string
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'quittance-halts-'))
    })
    afterEach(() => rmSync(folder, { recursive: true }))

    const open = async () => {
      const config = configFrom({ QUITTANCE_DATA_DIR: folder, ...store().settings })
      if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
      const opened = await openPlatform(config.right)
      if (E.isLeft(opened)) throw new Error(JSON.stringify(opened.left))
      const { workers, readiness, close } = opened.right
      const [worker] = workers
      if (worker === undefined) throw new Error('the sandbox has a worker')
      return { step: worker.step, halted: async () => (await readiness()).ledgers.testnet?.halted, close }
    }
    const moveCursor = (ledgers: number) =>
      store().run(folder, changesOf(`UPDATE ledger_cursors SET sequence = sequence + ${ledgers}`))

    it('both show why ingestion has halted, which one of them found, and both that it goes on', async () => {
      const [ingesting, other] = [await open(), await open()]
      const shown = async () => [await ingesting.halted(), await other.halted()]
      expect(await ingesting.step()).toEqual(E.right(undefined))
      expect(await shown()).toEqual([null, null])

      await moveCursor(1_000)
      const step = await ingesting.step()
      expect(step).toMatchObject(E.left({ _tag: 'LedgerWentBack' }))
      const halt = { reason: 'LedgerWentBack', ledger: expect.any(Number) }
      expect(await shown()).toEqual([halt, halt])

      await moveCursor(-1_000)
      expect(await ingesting.step()).toEqual(E.right(undefined))
      expect(await shown()).toEqual([null, null])
      await ingesting.close()
      await other.close()
    })
  })
}
