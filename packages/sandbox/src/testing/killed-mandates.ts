import { openDatabase } from '@quittance/event-store/sqlite'
import { openSandbox } from '../sandbox.ts'
import { testPassphrase } from './fixture.ts'
import {
  called,
  callOf,
  channel,
  customer,
  mandateClient,
  operator,
  prepared,
  serveMandates,
  termsOf,
} from './mandates.ts'
import { serve } from './server.ts'

/**
 * A process that enrols a customer and charges repeatedly, through its own node, until it is killed. Prints a line for
 * each PENDING charge, `pending <hash>`, and each ledger, `closed <sequence> <hash>`. Argument: the database's file.
 */
const [, , file = ''] = process.argv
const database = openDatabase(file, { durability: 'full' })
const sandbox = openSandbox({ database, wallClock: Date.now, passphrase: testPassphrase })
const served = await serveMandates(await serve(sandbox))
const mandates = await mandateClient(served)
const asCustomer = { source: customer }
const asOperator = { source: channel, operationSource: operator }

const say = (line: string) => process.stdout.write(`${line}\n`)
const operationOf = (name: string, args: object, options: typeof asCustomer | typeof asOperator) =>
  callOf(sandbox.mandateContract, name, mandates.spec.funcArgsToScVals(name, args), options)

for (let number = 1; ; number += 1) {
  const reference = Buffer.from(`${process.pid}_${number}`)
  const terms = termsOf(served, { reference, cap: 1n, allowance: BigInt(number) * 1_000n })
  const mandate = await called(served, operationOf('create', terms, asCustomer), asCustomer)
  const charge = { mandate, period_start: terms.first_charge_at, amount: 1n, reference }
  const transaction = await prepared(served, operationOf('charge', charge, asOperator), asOperator)
  const { status, hash } = await served.client.sendTransaction(transaction)
  if (status === 'PENDING') say(`pending ${hash}`)
  const closed = sandbox.close()
  say(`closed ${closed.sequence} ${closed.hash}`)
}
