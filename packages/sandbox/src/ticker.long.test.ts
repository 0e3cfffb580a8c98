import { right } from '@quittance/domain/testing/outcomes'
import { openDatabase } from '@quittance/event-store/sqlite'
import { Asset, Operation } from '@stellar/stellar-sdk'
import { openSandbox } from './sandbox.ts'
import type { Sandbox } from './sandbox-api.ts'
import { accountEntry, funded, keyNumber, signed, submit } from './testing/fixture.ts'

const passphrase = 'Sandbox under test'
const until = async (isTrue: () => boolean): Promise<void> => {
  const deadline = Date.now() + 20_000
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error('timed out')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

let sandbox: Sandbox
beforeEach(() => {
  const database = openDatabase(':memory:', { durability: 'full' })
  sandbox = openSandbox({ database, wallClock: Date.now, passphrase })
})
afterEach(() => sandbox.stop())

describe('ledgers by the clock', () => {
  it('the ticker closes ledgers, even empty ones, until it is stopped', async () => {
    const { ledger } = sandbox.clock()
    sandbox.start()
    await until(() => sandbox.clock().ledger >= ledger + 2)
    sandbox.stop()
    const stopped = sandbox.clock().ledger
    await until(() => sandbox.clock().now > (sandbox.read.range().latest.closeTime + 2) * 1_000)
    expect(sandbox.clock().ledger).toBe(stopped)
  })

  it('a timed close includes the queue, and all grants requested meanwhile share one transaction', async () => {
    const payer = keyNumber(1)
    await funded(sandbox, payer)
    sandbox.start()
    const payment = Operation.payment({ destination: payer.publicKey(), asset: Asset.native(), amount: '1' })
    const { hash } = submit(sandbox, signed(sandbox, payer, [payment]))
    const keys = [11, 12, 13].map(keyNumber)
    const given = await Promise.all(keys.map((key) => sandbox.fund({ address: key.publicKey() })()))
    expect(new Set(given.map((each) => right(each).hash)).size).toBe(1)
    expect(keys.map((key) => accountEntry(sandbox, key).balance)).toEqual(keys.map(() => 100_000_000_000n))
    expect(sandbox.read.findTransaction(hash)?.succeeded).toBe(true)
  })

  it('the ticker pauses while the clock is advanced', async () => {
    sandbox.start()
    const { ledger, now } = sandbox.clock()
    let atTheStart = 0
    const settle = async () => {
      if (atTheStart > 0) return
      await until(() => sandbox.clock().now > now + 2_500)
      atTheStart = sandbox.clock().ledger
    }
    await sandbox.advance({ seconds: 60, nextDue: async () => null, settle })()
    expect(atTheStart).toBe(ledger)
    await until(() => sandbox.clock().ledger > ledger + 1)
  })
})
