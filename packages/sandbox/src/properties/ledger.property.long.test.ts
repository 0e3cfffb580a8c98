import { right } from '@quittance/domain/testing/outcomes'
import { xdr } from '@stellar/stellar-sdk'
import * as fc from 'fast-check'
import { headerIn } from '../ledger/close-meta.ts'
import { totalCoins } from '../network.ts'
import { openSandbox } from '../sandbox.ts'
import type { Sandbox } from '../sandbox-api.ts'
import { bytesIn } from '../store/columns.ts'
import { storeIn } from '../store/index.ts'
import { accountEntry, startMs, testPassphrase } from '../testing/fixture.ts'
import { foundedDatabase } from '../testing/founded.ts'
import { accounts, envelopeOf, prepared, type Step, steps } from '../testing/random-ledger.ts'

const openNew = async () => {
  const database = foundedDatabase(testPassphrase, startMs)
  const sandbox = openSandbox({ database, wallClock: () => startMs, passphrase: testPassphrase })
  await prepared(sandbox)
  return { database, sandbox }
}
type Opened = Awaited<ReturnType<typeof openNew>>

/** Submits and closes as the steps say, then closes the rest; answers the submissions in order. */
const run = (sandbox: Sandbox, chosen: ReadonlyArray<Step>): ReadonlyArray<string | null> => {
  const log = [...chosen, { kind: 'close' } as const].map((step) => {
    if (step.kind === 'close') {
      sandbox.close()
      return null
    }
    const envelope = envelopeOf(sandbox, step)
    sandbox.submit(envelope)
    return envelope
  })
  return log
}

const entriesOf = ({ database }: Opened): ReadonlyArray<xdr.LedgerEntryData> =>
  database
    .prepare('SELECT entry FROM sandbox_entry')
    .all()
    .map((row) => xdr.LedgerEntry.fromXdr(bytesIn(row, 'entry')).data)

const latestHeader = (sandbox: Sandbox): xdr.LedgerHeader => {
  const [latest] = sandbox.read.ledgersFrom(sandbox.clock().ledger, 1)
  if (latest === undefined) throw new Error('no ledger')
  return headerIn(latest.meta).header
}

const sum = (values: ReadonlyArray<bigint>): bigint => values.reduce((total, value) => total + value, 0n)

describe('whatever is submitted', () => {
  it('balances and collected fees always sum to the initial coins', () =>
    fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        const opened = await openNew()
        run(opened.sandbox, chosen)
        const balances = entriesOf(opened).map((data) => (data.type === 'account' ? data.account.balance : 0n))
        expect(sum(balances) + latestHeader(opened.sandbox).feePool).toBe(totalCoins)
      }),
      { numRuns: 30 },
    ))

  it('only the issuer creates and destroys its asset, and no trustline exceeds its limit', () =>
    fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        const opened = await openNew()
        const linesNow = () => entriesOf(opened).filter((data) => data.type === 'trustline')
        const totalOf = (lines: ReturnType<typeof linesNow>) => sum(lines.map(({ trustLine }) => trustLine.balance))
        const before = totalOf(linesNow())
        run(opened.sandbox, chosen)
        const lines = linesNow()
        expect(totalOf(lines)).toBe(before)
        for (const { trustLine } of lines) expect(trustLine.balance <= trustLine.limit).toBe(true)
      }),
      { numRuns: 30 },
    ))

  it('subentry counts match the entries, and a hash is applied at most once', () =>
    fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        const opened = await openNew()
        const envelopes = run(opened.sandbox, chosen).filter((each) => each !== null)
        for (const envelope of envelopes) opened.sandbox.submit(envelope)
        opened.sandbox.close()
        const applied = opened.sandbox.read
          .ledgersFrom(1, 200)
          .flatMap(({ meta }) => {
            const decoded = xdr.LedgerCloseMeta.fromXdr(meta)
            return decoded.type === 'v2' ? decoded.v2.txProcessing : []
          })
          .map(({ result }) => result.transactionHash.toString())
        expect(new Set(applied).size).toBe(applied.length)
        const owners = entriesOf(opened).flatMap((data) => {
          if (data.type === 'trustline') return [data.trustLine.accountId.toXdr('hex')]
          if (data.type === 'offer') return [data.offer.sellerId.toXdr('hex')]
          return data.type === 'data' ? [data.data.accountId.toXdr('hex')] : []
        })
        for (const key of accounts) {
          const id = key.xdrAccountId().toXdr('hex')
          expect(accountEntry(opened.sandbox, key).numSubEntries).toBe(owners.filter((each) => each === id).length)
        }
      }),
      { numRuns: 30 },
    ))

  it('the same submissions in the same ledgers give the same state hash, which matches the entries', () =>
    fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        const [one, other] = [await openNew(), await openNew()]
        for (const envelope of run(one.sandbox, chosen)) {
          if (envelope === null) other.sandbox.close()
          else right(other.sandbox.submit(envelope))
        }
        const stateHash = latestHeader(one.sandbox).bucketListHash.toString()
        expect(latestHeader(other.sandbox).bucketListHash.toString()).toBe(stateHash)
        expect(Buffer.from(storeIn(one.database).entries.recompute()).toString('hex')).toBe(stateHash)
      }),
      { numRuns: 20 },
    ))

  it('sequence numbers strictly increase', () =>
    fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        const { sandbox } = await openNew()
        for (const step of chosen) {
          const before = accounts.map((key) => accountEntry(sandbox, key).seqNum)
          const { ledger } = sandbox.clock()
          if (step.kind === 'send') sandbox.submit(envelopeOf(sandbox, step))
          else sandbox.close()
          const sources = sandbox.read.transactionsFrom(ledger + 1, 1, 1_000).flatMap(({ envelope }) => {
            const decoded = xdr.TransactionEnvelope.fromXdr(envelope)
            return decoded.type === 'envelopeTypeTx' ? [decoded.v1.tx] : []
          })
          for (const [index, key] of accounts.entries()) {
            const spent = sources.filter((tx) => tx.sourceAccount.equals(key.xdrMuxedAccount())).map((tx) => tx.seqNum)
            const after = accountEntry(sandbox, key).seqNum
            expect(after).toBe(spent.at(-1) ?? before[index])
            expect(spent.every((number) => number > (before[index] ?? 0n))).toBe(true)
          }
        }
      }),
      { numRuns: 20 },
    ))
})
