import { right } from '@quittance/domain/testing/outcomes'
import { openDatabase } from '@quittance/event-store/sqlite'
import { Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import { openSandbox } from '../sandbox.ts'
import { funded, keyNumber, signed, startMs, testPassphrase } from '../testing/fixture.ts'
import { storeIn } from './index.ts'

describe('pruning', () => {
  it('pruning removes older ledgers and transactions, and no entries', async () => {
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

  it('pruning removes a fee bump under both of its hashes', async () => {
    const database = openDatabase(':memory:', { durability: 'full' })
    const sandbox = openSandbox({ database, wallClock: () => startMs, passphrase: testPassphrase })
    const [one, other] = [keyNumber(1), keyNumber(2)]
    await funded(sandbox, one, other)
    const inner = signed(sandbox, one, [Operation.bumpSequence({ bumpTo: '0' })])
    const bump = TransactionBuilder.buildFeeBumpTransaction(other, '100', inner, testPassphrase)
    bump.sign(other)
    right(sandbox.submit(bump.toEnvelope().toXdr('base64')))
    const { sequence } = sandbox.close()
    storeIn(database).ledgers.prune(sequence + 1)
    const count = database.prepare('SELECT count(*) AS bumps FROM sandbox_fee_bump').get()
    expect(count).toEqual({ bumps: 0 })
    expect(sandbox.read.findTransaction(Buffer.from(inner.hash()).toString('hex'))).toBeUndefined()
  })
})
