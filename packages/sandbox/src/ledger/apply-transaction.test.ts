import { Asset, Operation, xdr } from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import { metaChangesText } from '../testing/changes-text.ts'
import { accountEntry, appliedOf, funded, keyNumber, sandboxInMemory, signed, submit } from '../testing/fixture.ts'
import { recordedTransactions } from '../testing/recorded.ts'
import { applyTransaction, chargeFee } from './apply-transaction.ts'
import { draftOn } from './draft.ts'

const payer = keyNumber(1)
const payee = keyNumber(2)
const pay = (amount: string) => Operation.payment({ destination: payee.publicKey(), asset: Asset.native(), amount })

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, payer, payee)
})

const apply = (operations: Parameters<typeof signed>[2]) => {
  const { hash } = submit(sandbox, signed(sandbox, payer, operations, { fee: '1000' }))
  sandbox.close()
  return appliedOf(sandbox, hash)
}

const metaOf = (bytes: Uint8Array) => {
  const meta = xdr.TransactionMeta.fromXdr(bytes)
  if (meta.type !== 'v4') throw new Error(meta.type)
  return meta.v4
}

const shapeOf = (changes: ReadonlyArray<xdr.LedgerEntryChange>) => changes.map(({ type }) => type)

describe('applying a transaction', () => {
  it('a failing operation undoes all others; fee and sequence number stay used', () => {
    const { seqNum } = accountEntry(sandbox, payer)
    const applied = apply([pay('1'), pay('20000'), pay('2')])
    const result = xdr.TransactionResult.fromXdr(applied.result)
    if (result.result.type !== 'txFailed') throw new Error(result.result.type)
    expect(result.feeCharged).toBe(300n)
    const codes = result.result.results.map((each) => each.type === 'opInner' && each.tr.value.type)
    expect(codes).toEqual(['paymentSuccess', 'paymentUnderfunded', 'paymentSuccess'])
    expect(accountEntry(sandbox, payer)).toMatchObject({ balance: 99_999_999_700n, seqNum: seqNum + 1n })
    expect(accountEntry(sandbox, payee).balance).toBe(100_000_000_000n)
    expect(metaOf(applied.meta).operations).toEqual([])
  })

  it('charges the base fee per operation, not the offered fee', () => {
    const applied = apply([pay('1'), pay('2')])
    expect(xdr.TransactionResult.fromXdr(applied.result).feeCharged).toBe(200n)
    expect(accountEntry(sandbox, payer).balance).toBe(99_969_999_800n)
  })

  it('the meta lists each change by operation, with the states before and after', () => {
    const newcomer = keyNumber(3)
    const create = Operation.createAccount({ destination: newcomer.publicKey(), startingBalance: '5' })
    const data = (value: string | null) => Operation.manageData({ name: 'a', value })
    const { txChangesBefore, operations } = metaOf(apply([pay('1'), create, data('1'), data(null)]).meta)
    expect(shapeOf(txChangesBefore)).toEqual(['ledgerEntryState', 'ledgerEntryUpdated'])
    const [state, updated] = ['ledgerEntryState', 'ledgerEntryUpdated']
    expect(operations.map(({ changes }) => shapeOf(changes))).toEqual([
      [state, updated, state, updated],
      ['ledgerEntryCreated', state, updated],
      [state, updated, 'ledgerEntryCreated'],
      [state, updated, state, 'ledgerEntryRemoved'],
    ])
  })

  it('an earlier transaction of the ledger may take what a later one needs', () => {
    const both = [payer, payee].map((key, index) => {
      const other = index === 0 ? payee : payer
      const change = Operation.setOptions({
        source: other.publicKey(),
        masterWeight: 0,
        signer: signerOf(keyNumber(9)),
      })
      return submit(sandbox, signed(sandbox, key, [change], { signers: [payer, payee] })).hash
    })
    sandbox.close()
    const codes = both.map((hash) => xdr.TransactionResult.fromXdr(appliedOf(sandbox, hash).result).result.type)
    expect(codes.toSorted()).toEqual(['txBadAuth', 'txSuccess'])
  })
})

const signerOf = (key: typeof payer) => ({ ed25519PublicKey: key.publicKey(), weight: 1 })

const recorded = recordedTransactions()
if (recorded.length === 0) process.stderr.write('recorded ledgers are not at hand: nothing is compared with them\n')

if (recorded.length > 0)
  describe('a transaction that stellar-core has applied', () => {
    it('a transaction that stellar-core applied has the same result and changes, byte for byte', () => {
      const differing = recorded.filter(({ ledger, signed: transaction, view, result, meta }) => {
        const draft = draftOn(view, ledger)
        const { fee, feeChanges } = chargeFee(transaction, draft)
        const applied = applyTransaction(transaction, draft, fee, feeChanges)
        const theirs = metaChangesText(xdr.TransactionMeta.v4(meta))
        const isSame = JSON.stringify(metaChangesText(applied.meta)) === JSON.stringify(theirs)
        return !isSame || applied.result.toXdr('hex') !== result.toXdr('hex')
      })
      expect(differing.map(({ place }) => place)).toEqual([])
      expect(recorded.length).toBeGreaterThan(395)
    })
  })
