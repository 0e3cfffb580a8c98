import { createHash } from 'node:crypto'
import { Asset, Operation, rpc, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { codeOf, keyNumber, network, signed, testPassphrase, usdc } from '../testing/fixture.ts'
import { type Served, serve } from '../testing/server.ts'

const payer = keyNumber(1)
const payee = keyNumber(2)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let served: Served
beforeEach(async () => {
  served = await serve()
})
afterEach(() => served.close())

const send = async (operation: xdr.Operation, key = payer) => {
  const { client, sandbox } = served
  const account = await client.getAccount(key.publicKey())
  const transaction = new TransactionBuilder(account, { fee: '100', networkPassphrase: testPassphrase })
    .addOperation(operation)
    .setTimebounds(0, 0)
    .build()
  transaction.sign(key)
  const sent = await client.sendTransaction(transaction)
  sandbox.close()
  return sent
}

describe("the SDK's own client", () => {
  it("the SDK's client funds, trusts, pays and reads back", async () => {
    const { client, sandbox } = served
    await client.requestAirdrop(payer.publicKey())
    await client.requestAirdrop(payee.publicKey())
    for (const key of [payer, payee]) await send(Operation.changeTrust({ source: key.publicKey(), asset: usdc }), key)
    const given = await fetch(`${served.url}/friendbot?addr=${payer.publicKey()}&asset=USDC:${usdc.getIssuer()}`)
    expect(given.status).toBe(200)

    const sent = await send(Operation.payment({ destination: payee.publicKey(), asset: usdc, amount: '12.5' }))
    expect(sent.status).toBe('PENDING')

    const read = await client.getTransaction(sent.hash)
    if (read.status !== rpc.Api.GetTransactionStatus.SUCCESS) throw new Error(read.status)
    expect(codeOf(read.resultXdr)).toBe('txSuccess')
    expect(read.ledger).toBe(sandbox.clock().ledger)
    expect((await client.getAssetBalance(payee.publicKey(), usdc)).balanceEntry?.amount).toBe('125000000')
    expect((await client.getAssetBalance(payer.publicKey(), usdc)).balanceEntry?.amount).toBe('99875000000')
  })

  it("the SDK's client finds a fee bump by either hash", async () => {
    const { client, sandbox } = served
    for (const key of [payer, payee]) await client.requestAirdrop(key.publicKey())
    const inner = signed(sandbox, payer, [Operation.bumpSequence({ bumpTo: '0' })])
    const bump = TransactionBuilder.buildFeeBumpTransaction(payee, '100', inner, testPassphrase)
    bump.sign(payee)
    const { hash } = await client.sendTransaction(bump)
    sandbox.close()
    for (const asked of [hash, Buffer.from(inner.hash()).toString('hex')]) {
      const read = await client.getTransaction(asked)
      if (read.status !== rpc.Api.GetTransactionStatus.SUCCESS) throw new Error(read.status)
      expect(read).toMatchObject({ feeBump: true, ledger: sandbox.clock().ledger })
      expect(codeOf(read.resultXdr)).toBe('txFeeBumpInnerSuccess')
    }
  })

  it("the SDK's client verifies the chain: every header, transaction set and result hash is right", async () => {
    const { client, sandbox } = served
    await client.requestAirdrop(payer.publicKey())
    await send(Operation.payment({ destination: network.root.publicKey(), asset: Asset.native(), amount: '1' }))
    sandbox.close()

    const { ledgers } = await client.getLedgers({ startLedger: 1, pagination: { limit: 200 } })
    expect(ledgers.map(({ sequence }) => sequence)).toEqual(ledgers.map((_, index) => index + 1))
    let previous = '0'.repeat(64)
    let seen = 0
    for (const { hash, headerXdr, metadataXdr } of ledgers) {
      if (metadataXdr.type !== 'v2') throw new Error(metadataXdr.type)
      const { header } = headerXdr
      const { txSet, txProcessing } = metadataXdr.v2
      expect(headerXdr.toXdr('hex')).toBe(metadataXdr.v2.ledgerHeader.toXdr('hex'))
      expect(sha256(header.toXdr())).toBe(hash)
      expect(header.previousLedgerHash.toString()).toBe(previous)
      expect(sha256(txSet.toXdr())).toBe(header.scpValue.txSetHash.toString())
      const results = new xdr.TransactionResultSet({ results: txProcessing.map(({ result }) => result) })
      expect(sha256(results.toXdr())).toBe(header.txSetResultHash.toString())

      const hashes = txSet.v1TxSet.phases.flatMap((phase) =>
        phase.type === 'v0Components'
          ? phase.v0Components.flatMap(({ txsMaybeDiscountedFee }) =>
              txsMaybeDiscountedFee.txs.map((envelope) =>
                Buffer.from(TransactionBuilder.fromXDR(envelope, testPassphrase).hash()).toString('hex'),
              ),
            )
          : phase.parallelTxsComponent.executionStages
              .flat(2)
              .map((envelope) =>
                Buffer.from(TransactionBuilder.fromXDR(envelope, testPassphrase).hash()).toString('hex'),
              ),
      )
      expect(new Set(txProcessing.map(({ result }) => result.transactionHash.toString()))).toEqual(new Set(hashes))
      seen += hashes.length
      previous = hash
    }
    expect(seen).toBe(8)
  })

  it("the node answers every other method of the SDK's client", async () => {
    const { client, sandbox } = served
    await client.requestAirdrop(payer.publicKey())
    const { latestLedger } = await client.getHealth()
    expect(latestLedger).toBe(sandbox.clock().ledger)
    expect((await client.getNetwork()).passphrase).toBe(testPassphrase)
    expect((await client.getVersionInfo()).protocolVersion).toBe(27)
    const latest = await client.getLatestLedger()
    expect(sha256(latest.headerXdr.toXdr())).toBe(latest.id)
    expect((await client.getFeeStats()).inclusionFee).toMatchObject({ max: '100', p50: '100', transactionCount: '2' })
    expect((await client.getFeeStats()).sorobanInclusionFee).toMatchObject({ max: '100', transactionCount: '5' })
    expect((await client.getTransactions({ startLedger: 1 })).transactions).toHaveLength(7)
    expect((await client.getEvents({ startLedger: 1, filters: [] })).events).toEqual([])
    const transaction = new TransactionBuilder(await client.getAccount(payer.publicKey()), {
      fee: '100',
      networkPassphrase: testPassphrase,
      timebounds: { minTime: 0, maxTime: 0 },
    })
      .addOperation(Operation.bumpSequence({ bumpTo: '1' }))
      .build()
    expect(rpc.Api.isSimulationError(await client.simulateTransaction(transaction))).toBe(true)
  })

  it("the SDK's client learns that a funded account exists, then finds it", async () => {
    const { client } = served
    const first = await client.requestAirdrop(payer.publicKey())
    const again = await client.requestAirdrop(payer.publicKey())
    expect(again.sequenceNumber()).toBe(first.sequenceNumber())
    await expect(client.fundAddress(payer.publicKey())).rejects.toThrow('createAccountAlreadyExist')
  })
})
