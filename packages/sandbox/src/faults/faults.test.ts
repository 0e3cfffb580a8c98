import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { right } from '@quittance/domain/testing/outcomes'
import { openDatabase } from '@quittance/event-store/sqlite'
import { Asset, Operation, rpc, type Transaction, xdr } from '@stellar/stellar-sdk'
import { openSandbox } from '../sandbox.ts'
import {
  accountEntry,
  codeOf,
  funded,
  keyNumber,
  outcomeOf,
  refusalOf,
  sandboxInMemory,
  signed,
  startMs,
  submit,
  testPassphrase,
  trustline,
  usdc,
  wallClockAt,
} from '../testing/fixture.ts'
import { type Served, serve } from '../testing/server.ts'
import type { Faults } from './faults.ts'

const payer = keyNumber(1)
const payee = keyNumber(2)
const usdcId = `USDC:${usdc.getIssuer()}`

let served: Served
let wall: ReturnType<typeof wallClockAt>
beforeEach(async () => {
  wall = wallClockAt(startMs)
  served = await serve(sandboxInMemory(wall))
  await funded(served.sandbox, payer, payee)
})
afterEach(() => served.close())

const set = (faults: Faults): void => {
  right(served.sandbox.faults.set(faults))
}
const present = () => served.sandbox.faults.present()
const payment = (amount = '1', fee = '100'): Transaction =>
  signed(
    served.sandbox,
    payer,
    [Operation.payment({ destination: payee.publicKey(), asset: Asset.native(), amount })],
    {
      fee,
    },
  )
const hashOf = (transaction: Transaction) => Buffer.from(transaction.hash()).toString('hex')
const statusOf = async (transaction: Transaction) => (await served.client.getTransaction(hashOf(transaction))).status
const close = (times = 1): void => {
  for (let at = 0; at < times; at += 1) served.sandbox.close()
}
const latest = async () => (await served.client.getLatestLedger()).sequence
const heldByPayee = () => accountEntry(served.sandbox, payee).balance

describe('the fault knobs', () => {
  it('fault knobs start off, are replaced as a whole, and end with an empty setting', () => {
    expect(present()).toEqual({})
    set({ drop: { times: 2 }, lag: { ledgers: 3 } })
    expect(present()).toEqual({ drop: { times: 2 }, lag: { ledgers: 3 } })
    set({ prune: { keep: 1 } })
    expect(present()).toEqual({ prune: { keep: 1 } })
    set({})
    expect(present()).toEqual({})
  })

  it('fault knobs and their remaining counts apply to every process and survive a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-faults-'))
    const open = () =>
      openSandbox({
        database: openDatabase(join(folder, 'ledger.db'), { durability: 'full' }),
        wallClock: wall.now,
        passphrase: testPassphrase,
      })
    const [one, other] = [open(), open()]
    right(one.faults.set({ drop: { times: 3 }, fee_surge: { base_fee: 500, for_ledgers: 2 } }))
    expect(other.faults.take('drop')).toEqual({ times: 3 })
    other.close()
    expect(open().faults.present()).toEqual({ drop: { times: 2 }, fee_surge: { base_fee: 500, for_ledgers: 1 } })
    one.close()
    expect(one.faults.present()).toEqual({ drop: { times: 2 } })
    rmSync(folder, { recursive: true })
  })

  it('fault knobs apply `times` times, and to every n-th answer', () => {
    set({ silent: { times: 2, every: 2 } })
    const taken = Array.from({ length: 6 }, () => served.sandbox.faults.take('silent') !== undefined)
    expect(taken).toEqual([false, true, false, true, false, false])
    expect(present()).toEqual({})
  })
})

describe('through the client of the SDK', () => {
  it('lose_reply: the transaction is accepted and included, but the reply is lost', async () => {
    set({ lose_reply: { times: 1 } })
    const sent = payment()
    await expect(served.client.sendTransaction(sent)).rejects.toThrow()
    expect((await served.client.sendTransaction(sent)).status).toBe('DUPLICATE')
    close()
    expect(await statusOf(sent)).toBe('SUCCESS')
    expect(present()).toEqual({})
  })

  it('drop: an accepted transaction is never included and may be sent again', async () => {
    set({ drop: { times: 1 } })
    const sent = payment()
    expect((await served.client.sendTransaction(sent)).status).toBe('PENDING')
    close(2)
    expect(await statusOf(sent)).toBe('NOT_FOUND')
    expect((await served.client.sendTransaction(sent)).status).toBe('PENDING')
    close()
    expect(await statusOf(sent)).toBe('SUCCESS')
  })

  it('include_late: the transaction enters the ledger this many ledgers later', async () => {
    set({ include_late: { ledgers: 2, times: 1 } })
    const sent = payment()
    const next = (await latest()) + 1
    expect((await served.client.sendTransaction(sent)).status).toBe('PENDING')
    close(2)
    expect(await statusOf(sent)).toBe('NOT_FOUND')
    expect((await served.client.sendTransaction(sent)).status).toBe('DUPLICATE')
    close()
    const found = await served.client.getTransaction(hashOf(sent))
    expect(found.status === 'SUCCESS' && found.ledger).toBe(next + 2)
  })

  it('lag: ledgers, transactions and accounts are this many ledgers old', async () => {
    const before = { ledger: await latest(), account: await served.client.getAccount(payer.publicKey()) }
    const sent = payment()
    await served.client.sendTransaction(sent)
    close(2)
    set({ lag: { ledgers: 2 } })
    expect(await latest()).toBe(before.ledger)
    expect((await served.client.getHealth()).latestLedger).toBe(before.ledger)
    expect(await statusOf(sent)).toBe('NOT_FOUND')
    const account = await served.client.getAccount(payer.publicKey())
    expect(account.sequenceNumber()).toBe(before.account.sequenceNumber())
    expect((await served.client.getLedgers({ startLedger: before.ledger })).ledgers).toHaveLength(1)
    expect((await served.client.getTransactions({ startLedger: 1 })).transactions).toHaveLength(8)
    set({})
    expect(await statusOf(sent)).toBe('SUCCESS')
    expect((await served.client.getAccount(payer.publicKey())).sequenceNumber()).not.toBe(account.sequenceNumber())
  })

  it('lag: omits later accounts and later balances', async () => {
    const ledger = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: keyNumber(3).xdrAccountId() }))
    await funded(served.sandbox, keyNumber(3))
    set({ lag: { ledgers: 1 } })
    expect((await served.client.getLedgerEntries(ledger)).entries).toEqual([])
    set({})
    expect((await served.client.getLedgerEntries(ledger)).entries).toHaveLength(1)
  })

  it('lag: with every second answer only, the ledger goes back and forth', async () => {
    close(3)
    const now = await latest()
    set({ lag: { ledgers: 2, every: 2 } })
    expect([await latest(), await latest(), await latest(), await latest()]).toEqual([now, now - 2, now, now - 2])
  })

  it('prune: ledgers before the last ones are gone', async () => {
    const sent = payment()
    await served.client.sendTransaction(sent)
    close(3)
    set({ prune: { keep: 2 } })
    const { oldestLedger, latestLedger } = await served.client.getHealth()
    expect(latestLedger - oldestLedger).toBe(1)
    expect(await statusOf(sent)).toBe('NOT_FOUND')
    await expect(served.client.getLedgers({ startLedger: oldestLedger - 1 })).rejects.toMatchObject({ code: -32600 })
    expect((await served.client.getLedgers({ startLedger: oldestLedger })).ledgers).toHaveLength(2)
  })

  it('ledger_gap: a page omits the ledger, or one from its middle', async () => {
    close(3)
    const now = await latest()
    const sequences = async () =>
      (await served.client.getLedgers({ startLedger: now - 2 })).ledgers.map(({ sequence }) => sequence)
    set({ ledger_gap: { ledger: now - 2, times: 1 } })
    expect(await sequences()).toEqual([now - 1, now])
    set({ ledger_gap: { times: 1 } })
    expect(await sequences()).toEqual([now - 2, now])
    expect(await sequences()).toEqual([now - 2, now - 1, now])
  })

  it('lie: a ledger looks empty and consistent, and only the next one reveals the lie', async () => {
    await served.client.sendTransaction(payment())
    close(2)
    const start = (await latest()) - 1
    const read = async () => (await served.client.getLedgers({ startLedger: start })).ledgers
    const [honest, next] = await read()
    set({ lie: { times: 1 } })
    const [told, after] = await read()
    const meta = told?.metadataXdr
    expect(meta?.type === 'v2' && meta.v2.txProcessing).toEqual([])
    expect(told?.hash).not.toBe(honest?.hash)
    expect(after).toEqual(next)
    expect(after?.headerXdr.header.previousLedgerHash.toString()).toBe(honest?.hash)
    expect((await read())[0]).toEqual(honest)
  })

  it('old_health: getHealth omits close times, `times` times', async () => {
    const health = await served.client.getHealth()
    set({ old_health: { times: 1 } })
    const told = Object.keys(await served.client.getHealth())
    expect(told).toEqual(['status', 'latestLedger', 'oldestLedger', 'ledgerRetentionWindow'])
    expect(await served.client.getHealth()).toEqual(health)
  })

  it('silent: these methods get no answer', async () => {
    set({ silent: { methods: ['getHealth'] } })
    const patience = new AbortController()
    const ask = (method: string) =>
      fetch(served.url, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
        signal: patience.signal,
      })
    const silent = ask('getHealth')
    expect((await ask('getNetwork')).status).toBe(200)
    patience.abort()
    await expect(silent).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('server_error: requests fail with a 5xx status, `times` times', async () => {
    set({ server_error: { times: 2 } })
    await expect(served.client.getHealth()).rejects.toMatchObject({ response: { status: 503 } })
    await expect(served.client.getHealth()).rejects.toMatchObject({ response: { status: 503 } })
    expect((await served.client.getHealth()).status).toBe('healthy')
    set({ server_error: { status: 500, methods: ['sendTransaction'] } })
    await expect(served.client.sendTransaction(payment())).rejects.toMatchObject({ response: { status: 500 } })
    expect((await served.client.getHealth()).status).toBe('healthy')
    set({ server_error: { methods: ['paths'] } })
    expect((await fetch(`${served.url}/paths/strict-receive`)).status).toBe(503)
  })

  it('fee_surge: the minimum fee rises and is charged, statistics follow, and the surge ends', async () => {
    const waiting = payment('1')
    await served.client.sendTransaction(waiting)
    set({ fee_surge: { base_fee: 1_000, for_ledgers: 2 } })
    expect((await served.client.getFeeStats()).inclusionFee).toMatchObject({ min: '1000', p50: '1000' })
    const other = keyNumber(3)
    await funded(served.sandbox, other)
    expect(await statusOf(waiting)).toBe('NOT_FOUND')
    const pay = (fee: string) => signed(served.sandbox, other, [Operation.bumpSequence({ bumpTo: '0' })], { fee })
    const refused = await served.client.sendTransaction(pay('999'))
    expect([refused.status, refused.errorResult && codeOf(refused.errorResult)]).toEqual(['ERROR', 'txInsufficientFee'])
    expect(refused.errorResult?.feeCharged).toBe(1_000n)
    const sent = await served.client.sendTransaction(pay('2500'))
    close()
    const found = await served.client.getTransaction(sent.hash)
    expect(found.status === rpc.Api.GetTransactionStatus.SUCCESS && found.resultXdr.feeCharged).toBe(1_000n)
    expect(present()).toEqual({})
    close()
    expect(await statusOf(waiting)).toBe('SUCCESS')
  })

  it("deauthorise: the issuer revokes a trustline's authorization and restores it when the knob is off", async () => {
    const { sandbox } = served
    const line = Operation.changeTrust({ asset: usdc })
    for (const key of [payer, payee]) expect(outcomeOf(sandbox, signed(sandbox, key, [line]))).toBe('txSuccess')
    right(await sandbox.fund({ address: payer.publicKey(), assetId: usdcId })())
    const pay = () =>
      signed(sandbox, payer, [Operation.payment({ destination: payee.publicKey(), asset: usdc, amount: '1' })])
    set({ deauthorise: { account: payee.publicKey(), asset_id: usdcId, for_ledgers: 3 } })
    close()
    expect(trustline(sandbox, payee, usdc).flags).toBe(0)
    expect(outcomeOf(sandbox, pay())).toBe('paymentNotAuthorized')
    close(2)
    expect(trustline(sandbox, payee, usdc).flags).toBe(1)
    expect(outcomeOf(sandbox, pay())).toBe('txSuccess')
    expect(sandbox.close().transactions).toBe(0)
  })

  it('deauthorise: rejects an invalid account and a foreign asset', () => {
    const refused = (field: string) => ({ _tag: 'Left', left: { _tag: 'FaultRefused', knob: 'deauthorise', field } })
    const { faults } = served.sandbox
    expect(faults.set({ deauthorise: { account: 'G', asset_id: usdcId } })).toEqual(refused('account'))
    expect(faults.set({ deauthorise: { account: payer.publicKey(), asset_id: 'native' } })).toEqual(refused('asset_id'))
    expect(present()).toEqual({})
  })
})

describe('under several knobs', () => {
  it('under several knobs no coin appears or vanishes and a payment is applied once', async () => {
    set({ lose_reply: { times: 1 }, include_late: { ledgers: 2, times: 1 }, server_error: { every: 2 } })
    const before = heldByPayee()
    const sent = payment('5')
    for (let at = 0; at < 8; at += 1) {
      await served.client.sendTransaction(sent).catch(() => undefined)
      close()
    }
    expect(heldByPayee() - before).toBe(50_000_000n)
    expect(refusalOf(submit(served.sandbox, sent))).toBe('TRY_AGAIN_LATER')
    close(10)
    expect(refusalOf(submit(served.sandbox, sent))).toBe('txBadSeq')
  })
})
