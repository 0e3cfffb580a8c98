import { xdr } from '@stellar/stellar-sdk'
import { keyNumber, network, sandboxInMemory, signed } from '../testing/fixture.ts'
import { contractRoom } from './contract-room.ts'
import { readStoredEnvelope, type SignedTransaction } from './envelope.ts'

const account = (number: number) =>
  xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: keyNumber(number).xdrAccountId() }))

/** A transaction that declares so many instructions and written entries. */
const declaring = ({ instructions = 1, written = 0 }): SignedTransaction => {
  const sandbox = sandboxInMemory()
  const bare = readStoredEnvelope(signed(sandbox, network.root, []).toEnvelope().toXdr(), network)
  const footprint = new xdr.LedgerFootprint({
    readOnly: [],
    readWrite: Array.from({ length: written }, (_, at) => account(at + 1)),
  })
  const data = new xdr.SorobanTransactionData({
    ext: xdr.SorobanTransactionDataExt.v0(),
    resources: new xdr.SorobanResources({ footprint, instructions, diskReadBytes: 0, writeBytes: 0 }),
    resourceFee: 1n,
  })
  const ext = xdr.TransactionExt.sorobanData(data)
  return { ...bare, transaction: new xdr.Transaction({ ...bare.transaction, ext }) }
}

const taken = (each: SignedTransaction, tries: number): number => {
  const goesIn = contractRoom()
  return Array.from({ length: tries }, () => goesIn(each)).filter(Boolean).length
}

describe('a ledger', () => {
  it.each([
    ['200 contract transactions', {}, 200],
    ['two thousand million instructions', { instructions: 100_000_000 }, 20],
    ['a thousand entries written', { written: 30 }, 33],
  ])('takes no more than %s', (_, declared, expected) => {
    expect(taken(declaring(declared), 210)).toBe(expected)
  })

  it('a ledger still takes a small transaction where a large one no longer fits', () => {
    const goesIn = contractRoom()
    const large = declaring({ written: 30 })
    while (goesIn(large));
    expect(goesIn(declaring({ written: 10 }))).toBe(true)
  })
})
