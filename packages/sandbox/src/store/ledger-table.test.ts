import { openDatabase } from '@quittance/event-store/sqlite'
import { openSandbox } from '../sandbox.ts'
import { keyNumber, right, startMs } from '../testing/fixture.ts'
import { storeIn } from './index.ts'

describe('pruning', () => {
  it('throws away ledgers and transactions before the first kept, and no entries', async () => {
    const database = openDatabase(':memory:', { durability: 'full' })
    const sandbox = openSandbox({ database, wallClock: () => startMs })
    const early = right(await sandbox.fund({ address: keyNumber(1).publicKey() })())
    const late = right(await sandbox.fund({ address: keyNumber(2).publicKey() })())
    const store = storeIn(database)
    const stateHash = store.entries.recompute()

    store.ledgers.prune(late.ledger)

    expect(sandbox.read.range().oldest.sequence).toBe(late.ledger)
    expect(sandbox.read.findTransaction(early.hash)).toBeUndefined()
    expect(sandbox.read.findTransaction(late.hash)?.ledger).toBe(late.ledger)
    expect(store.entries.recompute()).toEqual(stateHash)
  })
})
