import { openDatabase } from '@quittance/event-store/sqlite'
import { Asset, Operation } from '@stellar/stellar-sdk'
import { openSandbox } from '../sandbox.ts'
import { funded, keyNumber, signed, submit, testPassphrase } from './fixture.ts'

/**
 * A process that submits and closes until it is killed. Prints a line for each confirmed action: `pending <hash>`,
 * `closed <sequence> <hash>`. Argument: the database's file.
 */
const [, , file = ''] = process.argv
const database = openDatabase(file, { durability: 'full' })
const sandbox = openSandbox({ database, wallClock: Date.now, passphrase: testPassphrase })
const keys = [1, 2, 3].map(keyNumber)

const say = (line: string) => process.stdout.write(`${line}\n`)

for (const key of keys) {
  try {
    signed(sandbox, key, [])
  } catch {
    await funded(sandbox, key)
  }
}
for (;;) {
  for (const [index, key] of keys.entries()) {
    const destination = keyNumber(1 + ((index + 1) % keys.length)).publicKey()
    const payment = Operation.payment({ destination, asset: Asset.native(), amount: '0.0000001' })
    const { status, hash } = submit(sandbox, signed(sandbox, key, [payment]))
    if (status === 'PENDING') say(`pending ${hash}`)
  }
  const { sequence, hash } = sandbox.close()
  say(`closed ${sequence} ${hash}`)
  // Yields, since writes to a pipe need the event loop.
  await new Promise((resolve) => setImmediate(resolve))
}
