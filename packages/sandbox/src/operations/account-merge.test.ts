import { Asset, type Keypair, Operation, xdr } from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import {
  accountEntry,
  appliedOf,
  type Build,
  codeOf,
  funded,
  keyNumber,
  outcomeOf,
  sandboxInMemory,
  signed,
  submit,
} from '../testing/fixture.ts'

const leaver = keyNumber(1)
const heir = keyNumber(2)

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, leaver, heir)
})

const mergeInto = (key: Keypair) => Operation.accountMerge({ destination: key.publicKey() })
const run = (key: Keypair, operations: ReadonlyArray<xdr.Operation>, build?: Build) =>
  outcomeOf(sandbox, signed(sandbox, key, operations, build))

describe('merging an account', () => {
  it('merging pays the whole balance, reserve included, to another account and removes the account', () => {
    const submission = submit(sandbox, signed(sandbox, leaver, [mergeInto(heir)]))
    sandbox.close()
    const { result } = xdr.TransactionResult.fromXdr(appliedOf(sandbox, submission.hash).result)
    const merged = xdr.AccountMergeResult.accountMergeSuccess(99_999_999_900n)
    expect(result).toEqual(
      xdr.TransactionResultResult.txSuccess([xdr.OperationResult.opInner(xdr.OperationResultTr.accountMerge(merged))]),
    )
    expect(accountEntry(sandbox, heir).balance).toBe(199_999_999_900n)
    expect(() => accountEntry(sandbox, leaver)).toThrow()
  })

  it('merging needs another existing account', () => {
    expect(run(leaver, [mergeInto(leaver)])).toBe('accountMergeMalformed')
    expect(run(leaver, [mergeInto(keyNumber(9))])).toBe('accountMergeNoAccount')
  })

  it('merging is refused while the account has data; its signers go with it', () => {
    const data = (value: string | null) => Operation.manageData({ name: 'a', value })
    const signer = { ed25519PublicKey: heir.publicKey(), weight: 1 }
    run(leaver, [data('1'), Operation.setOptions({ signer })])
    expect(run(leaver, [mergeInto(heir)])).toBe('accountMergeHasSubEntries')
    expect(run(leaver, [data(null), mergeInto(heir)])).toBe('txSuccess')
  })

  it('merging is refused to an account with immutable flags', () => {
    run(leaver, [Operation.setOptions({ setFlags: 4 })])
    expect(run(leaver, [mergeInto(heir)])).toBe('accountMergeImmutableSet')
  })

  it.each([
    [-2n, 'txSuccess'],
    [0n, 'accountMergeSeqnumTooFar'],
  ])('compares the account’s number, %s off the next ledger’s first, with that: %s', (difference, code) => {
    const first = (BigInt(sandbox.clock().ledger) + 2n) << 32n
    run(leaver, [Operation.bumpSequence({ bumpTo: (first + difference).toString() })])
    expect(run(leaver, [mergeInto(heir)])).toBe(code)
  })

  it('merging is refused to a sponsor, even one of the same transaction', () => {
    const begin = Operation.beginSponsoringFutureReserves({ sponsoredId: heir.publicKey() })
    const end = Operation.endSponsoringFutureReserves({ source: heir.publicKey() })
    const data = Operation.manageData({ name: 'a', value: '1', source: heir.publicKey() })
    const both = { signers: [leaver, heir] }
    expect(run(leaver, [begin, mergeInto(heir), end], both)).toBe('accountMergeIsSponsor')
    expect(run(leaver, [begin, data, end], both)).toBe('txSuccess')
    expect(run(leaver, [mergeInto(heir)])).toBe('accountMergeIsSponsor')
  })

  it('merging needs the high threshold', () => {
    run(leaver, [Operation.setOptions({ highThreshold: 2 })])
    expect(run(leaver, [mergeInto(heir)])).toBe('opBadAuth')
  })

  it('merging fails later transactions of the account in the same ledger, in either order', () => {
    const mergeLeaver = Operation.accountMerge({ destination: heir.publicKey(), source: leaver.publicKey() })
    const pay = Operation.payment({ destination: heir.publicKey(), asset: Asset.native(), amount: '1' })
    const own = submit(sandbox, signed(sandbox, leaver, [pay]))
    const merge = submit(sandbox, signed(sandbox, heir, [mergeLeaver], { signers: [heir, leaver] }))
    sandbox.close()
    const codes = [own, merge].map(({ hash }) => codeOf(xdr.TransactionResult.fromXdr(appliedOf(sandbox, hash).result)))
    expect(['txSuccess', 'txNoAccount']).toContain(codes[0])
    expect(codes[1]).toBe('txSuccess')
    expect(accountEntry(sandbox, heir).balance).toBe(199_999_999_800n)
  })
})

describe('bumping a sequence number', () => {
  const bump = (bumpTo: bigint) => run(leaver, [Operation.bumpSequence({ bumpTo: bumpTo.toString() })])

  it('bumping raises a sequence number and never lowers it', () => {
    const { seqNum } = accountEntry(sandbox, leaver)
    expect(bump(seqNum + 10n)).toBe('txSuccess')
    expect(accountEntry(sandbox, leaver).seqNum).toBe(seqNum + 10n)
    expect(bump(seqNum)).toBe('txSuccess')
    expect(accountEntry(sandbox, leaver).seqNum).toBe(seqNum + 11n)
  })

  it('bumping rejects a negative sequence number', () => {
    const body = xdr.OperationBody.bumpSequence(new xdr.BumpSequenceOp({ bumpTo: -1n }))
    expect(run(leaver, [new xdr.Operation({ sourceAccount: null, body })])).toBe('bumpSequenceBadSeq')
  })
})
