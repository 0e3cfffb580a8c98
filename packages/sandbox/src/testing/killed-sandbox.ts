import { openDatabase } from '@quittance/event-store/sqlite'
import { Asset, Operation } from '@stellar/stellar-sdk'
import { openSandbox } from '../sandbox.ts'
import { funded, keyNumber, signed, submit, testPassphrase } from './fixture.ts'

/**
 * A process that submits and closes until it is killed. It writes a line for each thing it has been told is done:
 * `pending <hash>`, `closed <sequence> <hash>`. Argument: the database's file.
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
  // Lets the lines out: writing to a pipe is not done while the loop is busy.
  await new Promise((resolve) => setImmediate(resolve))
}
