import type { xdr } from '@stellar/stellar-sdk'
import type { Movement } from '../../movement.ts'
import { conformanceFiles, conformanceJson, conformanceLines, describeConformance } from '../../testing/conformance.ts'
import { accountOf } from '../addresses.ts'
import type { AppliedTransaction } from '../applied-transaction.ts'
import { assetIdOf } from '../assets.ts'
import { decodeUnboundMeta } from '../close-meta.ts'
import { signedTransaction } from '../envelope.ts'
import { closedLedger } from '../extractor.ts'
import { settledTransaction } from '../incoming-payments/settled-transaction.ts'
import type { PublishedLedger } from './published.ts'

type Index = { readonly groups: ReadonlyArray<{ readonly group: string; readonly networkPassphrase: string }> }

/** A published transaction with everything that it did to balances, and the credits among that. */
type Published = {
  readonly source: string
  readonly transaction: AppliedTransaction
  readonly movements: ReadonlyArray<Movement>
  readonly credits: ReadonlyArray<string>
}

const everyone = { has: () => true }

const publishedIn = (line: PublishedLedger, networkPassphrase: string): ReadonlyArray<Published> => {
  const meta = decodeUnboundMeta(line.xdr, networkPassphrase, (transaction) => ({
    transaction,
    settled: settledTransaction(transaction),
  }))
  const transactions = meta.transactions.map(({ settled }) => settled)
  const ledger = closedLedger({ ...meta, transactions }, networkPassphrase)
  const movements = Map.groupBy(ledger.movementsOf(everyone), ({ transactionHash }) => transactionHash)
  const credits = Map.groupBy(ledger.incomingPaymentsTo(everyone), ({ transactionHash }) => transactionHash)
  return meta.transactions.map(({ transaction }) => ({
    source: line.source,
    transaction,
    movements: movements.get(transaction.transactionHash) ?? [],
    credits: (credits.get(transaction.transactionHash) ?? []).map(({ kind, amount }) => `${kind} ${amount}`),
  }))
}

const bodiesOf = ({ transaction }: Published): ReadonlyArray<xdr.OperationBody> =>
  signedTransaction(transaction.envelope).operations.map(({ body }) => body)

const functionOf = (published: Published): string | null => {
  const [body] = bodiesOf(published)
  if (body?.type !== 'invokeHostFunction') return null
  const { hostFunction } = body.invokeHostFunctionOp
  return hostFunction.type === 'hostFunctionTypeInvokeContract'
    ? hostFunction.invokeContract.functionName.toString()
    : null
}

const balanceIn = ({ data }: xdr.LedgerEntry): readonly [string, bigint] | null => {
  if (data.type === 'account') return [`${accountOf(data.account.accountId)} native`, data.account.balance]
  if (data.type !== 'trustline' || data.trustLine.asset.type === 'assetTypePoolShare') return null
  const { accountId, asset, balance } = data.trustLine
  return [`${accountOf(accountId)} ${assetIdOf(asset)}`, balance]
}

/** All that a transaction did to balances, by the entries before and after alone: fees and refunds, too. */
const balanceChanges = ({ transaction }: Published): ReadonlyMap<string, bigint> => {
  const { feeChanges, changesBefore, operations, changesAfter } = transaction
  const sums = new Map<string, bigint>()
  const add = (entry: xdr.LedgerEntry, sign: bigint): void => {
    const [name, balance] = balanceIn(entry) ?? ['', 0n]
    sums.set(name, (sums.get(name) ?? 0n) + sign * balance)
  }
  for (const change of [
    ...feeChanges,
    ...changesBefore,
    ...operations.flatMap(({ changes }) => changes),
    ...changesAfter,
  ]) {
    if (change.type === 'ledgerEntryState') add(change.state, -1n)
    if (change.type === 'ledgerEntryCreated') add(change.created, 1n)
    if (change.type === 'ledgerEntryUpdated') add(change.updated, 1n)
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0n))
}

describeConformance('in the ledgers that others published', () => {
  let all: ReadonlyArray<Published>
  beforeAll(() => {
    const { groups } = conformanceJson<Index>('ledger-close-meta/index.json')
    const passphrases = new Map(groups.map(({ group, networkPassphrase }) => [group, networkPassphrase]))
    all = conformanceFiles('ledger-close-meta', '.jsonl.gz')
      .flatMap((file) => conformanceLines<PublishedLedger>(file))
      .flatMap((line) => publishedIn(line, passphrases.get(line.group) ?? 'unknown group'))
  })

  const withHash = (start: string): ReadonlyArray<Published> =>
    all.filter(({ transaction }) => transaction.transactionHash.startsWith(start))
  const theOnly = (start: string): Published => {
    const [first, ...others] = withHash(start)
    if (first === undefined || others.length > 0) throw new Error(`${start} names ${others.length + 1} transactions`)
    return first
  }
  const inOperations = ({ movements }: Published): ReadonlyArray<Movement> =>
    movements.filter(({ operationIndex }) => operationIndex !== null)

  it('every change of a balance is named, fees and refunds among them, and adds up', () => {
    for (const published of all) {
      const sums = new Map<string, bigint>()
      for (const { account, assetId, delta } of published.movements)
        sums.set(`${account} ${assetId}`, (sums.get(`${account} ${assetId}`) ?? 0n) + delta)
      expect(new Map([...sums].filter(([, sum]) => sum !== 0n))).toEqual(balanceChanges(published))
    }
  })
  it('every change has a kind', () => {
    const kinds = new Set<string>(all.flatMap(({ movements }) => movements.map(({ _tag }) => _tag)))
    expect([...kinds].filter((kind) => kind === 'other' || kind === 'contract_call')).toEqual([])
  })
  it('no two movements have the same name', () => {
    for (const { movements } of all) {
      const names = movements.map(({ operationIndex, delta, ordinal }) => `${operationIndex} ${delta > 0n} ${ordinal}`)
      expect(new Set(names).size).toBe(names.length)
    }
  })
  it('a failed transaction whose operations say success moves nothing but its fee', () => {
    const failed = theOnly('cb7f10ef')
    expect(failed.source).toBe('testnet/FFFFFC19--998.xdr.zst')
    expect(JSON.stringify(failed.transaction.result.toJson())).toContain('"payment":"success"')
    expect(failed.movements.map(({ _tag }) => _tag)).toEqual(['fee'])
  })
  it('62 of the 163 transactions of mainnet failed, and moved nothing but their fees', () => {
    const mainnet = all.filter(({ source }) => source.startsWith('mainnet/'))
    const failed = mainnet.filter(({ transaction }) => transaction.result.result.type === 'txFailed')
    expect([mainnet.length, failed.length]).toEqual([163, 62])
    expect(failed.flatMap(inOperations)).toEqual([])
  })
  it('a strict send of at least 1 delivers 200, in three ledgers with other trades around it', () => {
    const sends = withHash('17dc19a6')
    const [body] = sends.flatMap(bodiesOf)
    expect(body?.type === 'pathPaymentStrictSend' && body.pathPaymentStrictSendOp.destMin).toBe(1n)
    expect(sends.map(({ credits }) => credits)).toEqual([
      ['path_payment 200'],
      ['path_payment 200'],
      ['path_payment 200'],
    ])
    const traders = sends.map(({ movements }) =>
      movements
        .flatMap(({ _tag, account }) => (_tag === 'trade' ? [account] : []))
        .toSorted()
        .join(),
    )
    expect(new Set(traders).size).toBe(3)
  })
  it('a strict receive to oneself delivers what is gained, not the requested amount', () => {
    const received = theOnly('6cca0a56')
    const [body] = bodiesOf(received)
    expect(body?.type === 'pathPaymentStrictReceive' && body.pathPaymentStrictReceiveOp.destAmount).toBe(42_902_995n)
    expect(received.credits).toEqual(['path_payment 18406'])
  })
  it('a merge brings the whole balance of the merged account', () => {
    const merges = all.flatMap(inOperations).filter(({ _tag }) => _tag === 'account_merged')
    const gains = merges.filter(({ delta }) => delta > 0n)
    const losses = merges.filter(({ delta }) => delta < 0n)
    expect(gains.length).toBe(18)
    expect(gains.map(({ delta }) => delta)).toEqual(losses.map(({ delta }) => -delta))
  })
  it('claiming and spending in one transaction are two movements', () => {
    const moved = inOperations(theOnly('9ce81a27')).filter(({ assetId }) => assetId.startsWith('yXRP:'))
    expect(moved.map(({ _tag, operationIndex, delta }) => [_tag, operationIndex, delta])).toEqual([
      ['claimable_balance_claimed', 1, 510_000_000n],
      ['path_payment', 2, -510_000_000n],
    ])
  })
  it.each([
    ['46a9d906', 'from the issuer mints', 'contract_mint', 10n],
    ['206869cd', 'to the issuer burns', 'contract_burn', -10n],
  ])('a call of transfer (%s) %s', (hash, _, kind, delta) => {
    const published = theOnly(hash)
    expect(functionOf(published)).toBe('transfer')
    expect(inOperations(published)).toMatchObject([{ _tag: kind, delta }])
  })
  it('contracts pay by functions of any name', () => {
    const paying = all.filter(({ credits }) => credits.some((credit) => credit.startsWith('contract_transfer')))
    expect(new Set(paying.map(functionOf))).toEqual(
      new Set(['transfer', 'transfer_1', 'batch_transfer', 'bulk_transfer']),
    )
  })
  it('half of the bulk transfers go to contracts, and leave only a loss', () => {
    const bulk = all.filter(({ source }) => source.startsWith('bulk-transfers/')).flatMap(inOperations)
    const losses = bulk.filter(({ delta }) => delta < 0n)
    expect([losses.length, losses.filter(({ counterparty }) => counterparty?._tag === 'contract').length]).toEqual([
      1000, 500,
    ])
    expect(bulk.length - losses.length).toBe(500)
  })
  it('a transfer to a muxed address has its id', () =>
    expect(inOperations(theOnly('22254617'))).toMatchObject([
      { muxedId: '123456789123456789', delta: 300_000_000n },
      { muxedId: null, delta: -300_000_000n },
    ]))
  it("a clawback takes without its owner's signature", () =>
    expect(inOperations(theOnly('85ad42bb'))).toMatchObject([{ _tag: 'contract_clawback', delta: -2n }]))
  it('22 payments go to the issuer and leave no balance', () => {
    const offers = all.filter(({ source }) => source.startsWith('OfferTests/')).flatMap(inOperations)
    const payments = offers.filter(({ _tag }) => _tag === 'payment')
    const toIssuer = payments.filter(
      ({ delta, assetId, counterparty }) =>
        delta < 0n && counterparty?._tag === 'account' && assetId.endsWith(`:${counterparty.account}`),
    )
    expect(toIssuer.length).toBe(22)
  })
  it('events alone are not enough: 274 of 287 classic transactions that moved balances have none', () => {
    const classic = all.filter((published) => functionOf(published) === null && inOperations(published).length > 0)
    const silent = classic.filter(({ transaction }) =>
      transaction.operations.every(({ events }) => events.length === 0),
    )
    expect([classic.length, silent.length]).toEqual([287, 274])
  })
})
