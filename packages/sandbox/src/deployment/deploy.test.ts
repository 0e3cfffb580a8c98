import { openDatabase } from '@quittance/event-store/sqlite'
import { Asset, Contract, Operation, xdr } from '@stellar/stellar-sdk'
import { mandateWasm, mandateWasmHash } from '../contracts/index.ts'
import { ttlKeyOf } from '../ledger/entry-keys.ts'
import { hexOf, sha256 } from '../network.ts'
import { openSandbox } from '../sandbox.ts'
import type { Sandbox } from '../sandbox-api.ts'
import { foundBare } from '../testing/bare-network.ts'
import { network, outcomeOf, sandboxInMemory, signed, startMs, testPassphrase, usdc } from '../testing/fixture.ts'

const instanceOf = (sandbox: Sandbox, contract: string): string | undefined => {
  const data = sandbox.read.findEntry(new Contract(contract).getFootprint())?.data
  if (data?.type !== 'contractData' || data.contractData.val.type !== 'scvContractInstance') return undefined
  const { executable } = data.contractData.val.instance
  return executable.type === 'contractExecutableWasm' ? executable.wasmHash.toString() : executable.type
}

/** The ledgers left of an entry's life. */
const left = (sandbox: Sandbox, key: xdr.LedgerKey): number => {
  const ttl = sandbox.read.findEntry(xdr.LedgerKey.fromXdr(ttlKeyOf(key.toXdr('hex')), 'hex'))?.data
  return ttl?.type === 'ttl' ? ttl.ttl.liveUntilLedgerSeq - sandbox.clock().ledger : 0
}

const everyContract = (sandbox: Sandbox): ReadonlyArray<string> => [
  sandbox.mandateContract,
  ...[Asset.native(), usdc].map((asset) => asset.contractId(testPassphrase)),
]

describe('the contracts of a sandbox', () => {
  it('a new sandbox has the committed code, the mandate contract, and a token for each asset', () => {
    const sandbox = sandboxInMemory()
    expect(hexOf(sha256(mandateWasm()))).toBe(mandateWasmHash)
    expect(everyContract(sandbox).map((each) => instanceOf(sandbox, each))).toEqual([
      mandateWasmHash,
      'contractExecutableStellarAsset',
      'contractExecutableStellarAsset',
    ])
    expect(sandbox.clock().ledger).toBe(4)
  })

  it('contract ids are the same in every sandbox of a network and differ between networks', () => {
    expect(sandboxInMemory().mandateContract).toBe(sandboxInMemory().mandateContract)
    const database = openDatabase(':memory:', { durability: 'full' })
    const other = openSandbox({ database, wallClock: () => startMs, passphrase: 'another network' })
    expect(other.mandateContract).not.toBe(sandboxInMemory().mandateContract)
  })

  it('deploys missing contracts once when it opens an older network', () => {
    const database = openDatabase(':memory:', { durability: 'full' })
    foundBare(database)
    const open = () => openSandbox({ database, wallClock: () => startMs, passphrase: testPassphrase })
    const sandbox = open()
    expect(everyContract(sandbox).map((each) => instanceOf(sandbox, each))).not.toContain(undefined)
    const { ledger } = sandbox.clock()
    expect(ledger).toBe(5)
    expect(open().clock().ledger).toBe(ledger)
  })

  it('extends its contracts before they are archived', () => {
    const sandbox = sandboxInMemory()
    const keys = everyContract(sandbox).map((each) => new Contract(each).getFootprint())
    const code = xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: sha256(mandateWasm()) }))
    const lifetimes = () => [code, ...keys].map((key) => left(sandbox, key))
    expect(Math.min(...lifetimes())).toBeGreaterThan(3_110_000)
    sandbox.faults.set({ archived_entry: { key: code.toXdr('base64'), ledgers_left: 1_500_000, for_ledgers: 1 } })
    while (sandbox.clock().ledger < 1_000) sandbox.close()
    expect(new Set(lifetimes())).toEqual(new Set([3_110_399]))
    expect(sandbox.read.transactionsFrom(1_000, 1, 2)).toMatchObject([{ ledger: 1_000, succeeded: true }])
  })

  it("closes ledgers even where the contract keeper's account was used or merged by others", () => {
    const sandbox = sandboxInMemory()
    const keeper = network.contractKeeper
    while (sandbox.clock().ledger < 999) sandbox.close()
    const merge = signed(sandbox, keeper, [Operation.accountMerge({ destination: network.root.publicKey() })])
    expect(outcomeOf(sandbox, merge)).toBe('txSuccess')
    expect(sandbox.clock().ledger).toBe(1_000)
    while (sandbox.clock().ledger < 2_000) expect(sandbox.close().transactions).toBe(0)
  })
})
