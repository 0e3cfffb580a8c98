import { right } from '@quittance/domain/testing/outcomes'
import { Operation, type Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import * as fc from 'fast-check'
import { extensionOf } from '../ledger/account-extension.ts'
import { availableBalance } from '../ledger/accounts.ts'
import { headerIn } from '../ledger/close-meta.ts'
import { dataOf } from '../ledger/entry-keys.ts'
import { ownerOf, reservesOf, sponsorIn } from '../ledger/sponsorship.ts'
import { totalCoins } from '../network.ts'
import { openSandbox } from '../sandbox.ts'
import type { Sandbox } from '../sandbox-api.ts'
import { bytesIn } from '../store/columns.ts'
import { storeIn } from '../store/index.ts'
import {
  accountEntry,
  funded,
  network,
  outcomeOf,
  signed,
  startMs,
  testPassphrase,
  usdc,
  usdcIssuer,
} from '../testing/fixture.ts'
import { foundedDatabase } from '../testing/founded.ts'
import {
  everyone,
  keyAt,
  newcomers,
  operationOf,
  type RandomTransaction,
  randomTransaction,
  residents,
} from '../testing/random-operations.ts'

/** Opens a sandbox whose residents hold 10,000 XLM and, all but one, 100 USDC that may be revoked and clawed back. */
const openNew = async () => {
  const database = foundedDatabase(testPassphrase, startMs)
  const sandbox = openSandbox({ database, wallClock: () => startMs, passphrase: testPassphrase })
  await funded(sandbox, ...residents, ...newcomers)
  outcomeOf(sandbox, signed(sandbox, usdcIssuer, [Operation.setOptions({ setFlags: 10 })]))
  for (const key of residents.slice(1)) {
    outcomeOf(sandbox, signed(sandbox, key, [Operation.changeTrust({ asset: usdc, limit: '15000' })]))
    const give = Operation.payment({ destination: key.publicKey(), asset: usdc, amount: '100' })
    outcomeOf(sandbox, signed(sandbox, usdcIssuer, [give]))
  }
  return { database, sandbox }
}
type Opened = Awaited<ReturnType<typeof openNew>>

const entriesOf = ({ database }: Opened): ReadonlyArray<xdr.LedgerEntry> =>
  database
    .prepare('SELECT entry FROM sandbox_entry ORDER BY key')
    .all()
    .map((row) => xdr.LedgerEntry.fromXdr(bytesIn(row, 'entry')))

const balanceIdsIn = (opened: Opened): ReadonlyArray<string> =>
  entriesOf(opened).flatMap(({ data }) =>
    data.type === 'claimableBalance' ? [data.claimableBalance.balanceId.toXdr('hex')] : [],
  )

const sequenceOf = (sandbox: Sandbox, key: (typeof everyone)[number]): bigint => {
  const ledgerKey = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: key.xdrAccountId() }))
  return sandbox.read.findEntry(ledgerKey) === undefined ? 1n : accountEntry(sandbox, key).seqNum + 1n
}

/** A random transaction's envelope, signed by all accounts that act in it. */
const envelopeOf = (opened: Opened, { moves, sponsor, payer, source }: RandomTransaction): string => {
  const balances = balanceIdsIn(opened)
  const done = moves.map((each) => operationOf(each, balances))
  const sponsored = keyAt(moves[0]?.actor ?? 0)
  const sponsorKey = residents[((moves[0]?.actor ?? 0) + 1 + (sponsor ?? 0)) % residents.length] ?? sponsored
  const begin = { source: sponsorKey.publicKey(), sponsoredId: sponsored.publicKey() }
  const operations =
    sponsor === null
      ? done
      : [
          Operation.beginSponsoringFutureReserves(begin),
          ...done,
          Operation.endSponsoringFutureReserves({ source: sponsored.publicKey() }),
        ]
  const own = keyAt(source)
  const acts = (key: typeof own) =>
    key === own || operations.some(({ sourceAccount }) => sourceAccount?.equals(key.xdrMuxedAccount()))
  const signers = everyone.filter(acts)
  const sequence = sequenceOf(opened.sandbox, own)
  const inner: Transaction = signed(opened.sandbox, own, operations, { sequence, signers })
  if (payer === null) return inner.toEnvelope().toXdr('base64')
  const bump = TransactionBuilder.buildFeeBumpTransaction(keyAt(payer), '100', inner, testPassphrase)
  bump.sign(keyAt(payer))
  return bump.toEnvelope().toXdr('base64')
}

/** Submits all transactions and closes a ledger after every second one; answers the submissions, null for a close. */
const run = (opened: Opened, randomTransactions: ReadonlyArray<RandomTransaction>): ReadonlyArray<string | null> =>
  [...randomTransactions.entries(), [1, undefined] as const].flatMap(([at, each]) => {
    const envelope = each === undefined ? [] : [envelopeOf(opened, each)]
    for (const text of envelope) right(opened.sandbox.submit(text))
    if (at % 2 === 0) return envelope
    opened.sandbox.close()
    return [...envelope, null]
  })

const latestHeader = (sandbox: Sandbox): xdr.LedgerHeader => {
  const [latest] = sandbox.read.ledgersFrom(sandbox.clock().ledger, 1)
  if (latest === undefined) throw new Error('no ledger')
  return headerIn(latest.meta).header
}

/** An entry's asset, as XDR, and its amount. */
const holdingIn = (data: xdr.LedgerEntryData): readonly [string, bigint] | undefined => {
  if (data.type === 'account') return [xdr.Asset.assetTypeNative().toXdr('hex'), data.account.balance]
  if (data.type === 'trustline') return [data.trustLine.asset.toXdr('hex'), data.trustLine.balance]
  if (data.type !== 'claimableBalance') return undefined
  return [data.claimableBalance.asset.toXdr('hex'), data.claimableBalance.amount]
}

/** How much the changes raise each asset's sum. */
const raised = (changes: ReadonlyArray<xdr.LedgerEntryChange>): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const change of changes) {
    const holding = change.type === 'ledgerEntryRemoved' ? undefined : holdingIn(change.value.data)
    if (holding === undefined) continue
    const [asset, amount] = holding
    sums.set(asset, (sums.get(asset) ?? 0n) + (change.type === 'ledgerEntryState' ? -amount : amount))
  }
  return sums
}

const metasOf = ({ sandbox }: Opened) =>
  sandbox.read.transactionsFrom(1, 1, 1_000).flatMap(({ envelope, meta, hash }) => {
    const decoded = xdr.TransactionEnvelope.fromXdr(envelope)
    const v4 = xdr.TransactionMeta.fromXdr(meta)
    if (decoded.type === 'envelopeTypeTxV0' || v4.type !== 'v4') throw new Error(decoded.type)
    const { tx } = decoded.type === 'envelopeTypeTx' ? decoded.v1 : decoded.feeBump.tx.innerTx.v1
    const operations = v4.v4.operations.map(({ changes }, at) => ({ changes, operation: tx.operations[at] }))
    return [{ hash, operations }]
  })

/** Whether an operation issues or redeems an asset. */
const isIssuers = (operation: xdr.Operation | undefined): boolean => {
  const source = operation?.sourceAccount ?? undefined
  if (source === undefined) return operation?.body.type === 'payment'
  return network.issuers.some(({ keypair }) => source.equals(keypair.xdrMuxedAccount()))
}

const randomTransactions = fc.array(randomTransaction, { minLength: 10, maxLength: 60, size: 'max' })
const often = { numRuns: 12 }

describe('whatever operations are done', () => {
  it("no operation changes the native sum, and only the issuer's operations change an asset's", () =>
    fc.assert(
      fc.asyncProperty(randomTransactions, async (steps) => {
        const opened = await openNew()
        run(opened, steps)
        const nativeAsset = xdr.Asset.assetTypeNative().toXdr('hex')
        for (const { changes, operation } of metasOf(opened).flatMap(({ operations }) => operations))
          for (const [asset, more] of raised(changes))
            if (asset === nativeAsset || !isIssuers(operation))
              expect({ operation, more }).toEqual({ operation, more: 0n })
        const held = entriesOf(opened).map(({ data }) => holdingIn(data))
        const coins = held.reduce((sum, each) => sum + (each?.[0] === nativeAsset ? each[1] : 0n), 0n)
        expect(coins + latestHeader(opened.sandbox).feePool).toBe(totalCoins)
      }),
      often,
    ))

  it('accounts keep their reserves, and reserve counts match the entries', () =>
    fc.assert(
      fc.asyncProperty(randomTransactions, async (steps) => {
        const opened = await openNew()
        run(opened, steps)
        const entries = entriesOf(opened)
        const counts = new Map<string, { subentries: number; sponsoring: number; sponsored: number }>()
        const countOf = (accountId: xdr.PublicKey) => {
          const id = accountId.toXdr('hex')
          const found = counts.get(id) ?? { subentries: 0, sponsoring: 0, sponsored: 0 }
          counts.set(id, found)
          return found
        }
        for (const entry of entries) {
          const data = dataOf(entry)
          const [owner, sponsor, reserves] = [ownerOf(data), sponsorIn(entry), reservesOf(data)]
          if (sponsor !== undefined) countOf(sponsor).sponsoring += reserves
          if (owner !== undefined && sponsor !== undefined) countOf(owner).sponsored += reserves
          if (owner !== undefined && data.type !== 'account') countOf(owner).subentries += reserves
          if (data.type !== 'account') continue
          countOf(data.account.accountId).subentries += data.account.signers.length
          for (const signerSponsor of extensionOf(data.account).signerSponsors) {
            if (signerSponsor === null) continue
            countOf(signerSponsor).sponsoring += 1
            countOf(data.account.accountId).sponsored += 1
          }
        }
        for (const { data } of entries) {
          if (data.type !== 'account') continue
          const { numSubEntries: subentries, accountId } = data.account
          const { numSponsoring: sponsoring, numSponsored: sponsored } = extensionOf(data.account)
          expect({ subentries, sponsoring, sponsored }).toEqual(countOf(accountId))
          expect(availableBalance(data.account)).toBeGreaterThanOrEqual(0n)
        }
      }),
      often,
    ))

  it('a hash is applied at most once, and replaying the submissions gives the same state hash', () =>
    fc.assert(
      fc.asyncProperty(randomTransactions, async (steps) => {
        const [one, other] = [await openNew(), await openNew()]
        const log = run(one, steps)
        for (const envelope of log)
          if (envelope === null) other.sandbox.close()
          else right(other.sandbox.submit(envelope))
        const stateHash = latestHeader(one.sandbox).bucketListHash.toString()
        expect(latestHeader(other.sandbox).bucketListHash.toString()).toBe(stateHash)
        expect(Buffer.from(storeIn(one.database).entries.recompute()).toString('hex')).toBe(stateHash)
        for (const envelope of log) if (envelope !== null) right(one.sandbox.submit(envelope))
        one.sandbox.close()
        const hashes = metasOf(one).map(({ hash }) => hash)
        expect(new Set(hashes).size).toBe(hashes.length)
      }),
      { numRuns: 8 },
    ))
})
