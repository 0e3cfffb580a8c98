import { AccountId, AssetId } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { Account, Address, Keypair, type Memo, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import type { WatchedAccounts } from '../gateway.ts'
import { named } from '../named.ts'
import { sdkAsset } from '../stellar/assets.ts'
import { extractLedger } from '../stellar/extractor.ts'
import { rebound } from './rebound.ts'

export const handMadeNetwork = 'A Network Made By Hand'

const accountOf = (number: number): AccountId =>
  named(AccountId, Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(number)).publicKey())

export const payer = accountOf(1)
export const payee = accountOf(2)
export const trader = accountOf(3)
export const issuer = accountOf(4)
export const native = named(AssetId, 'native')
export const usd = named(AssetId, `USD:${issuer}`)
export const eur = named(AssetId, `EUR:${issuer}`)

const extension = xdr.ExtensionPoint.v0()
export const accountKey = (account: string): xdr.PublicKey => Keypair.fromPublicKey(account).xdrAccountId()

/** Of an entry whose reserve another account keeps. */
export const sponsoredBy = (sponsor: string): xdr.LedgerEntryExt =>
  xdr.LedgerEntryExt.v1(
    new xdr.LedgerEntryExtensionV1({
      sponsoringId: accountKey(sponsor),
      ext: xdr.LedgerEntryExtensionV1Ext.v0(),
    }),
  )

/** The entry that holds a balance: an account's own for XLM, else its trustline. `sponsor` keeps the reserve. */
const entry = (account: string, assetId: AssetId, balance: bigint, sponsor: string | null): xdr.LedgerEntry =>
  new xdr.LedgerEntry({
    lastModifiedLedgerSeq: 1,
    data:
      assetId === 'native'
        ? xdr.LedgerEntryData.account(
            new xdr.AccountEntry({
              accountId: accountKey(account),
              balance,
              seqNum: 1n,
              numSubEntries: 0,
              inflationDest: null,
              flags: 0,
              homeDomain: '',
              thresholds: new Uint8Array(4),
              signers: [],
              ext: xdr.AccountEntryExt.v0(),
            }),
          )
        : xdr.LedgerEntryData.trustline(
            new xdr.TrustLineEntry({
              accountId: accountKey(account),
              asset: sdkAsset(assetId).toTrustLineXdrObject(),
              balance,
              limit: 2n ** 63n - 1n,
              flags: 1,
              ext: xdr.TrustLineEntryExt.v0(),
            }),
          ),
    ext: sponsor === null ? xdr.LedgerEntryExt.v0() : sponsoredBy(sponsor),
  })

export const stateOf = (account: string, assetId: AssetId, balance: bigint, sponsor: string | null = null) =>
  xdr.LedgerEntryChange.ledgerEntryState(entry(account, assetId, balance, sponsor))
export const updatedTo = (account: string, assetId: AssetId, balance: bigint, sponsor: string | null = null) =>
  xdr.LedgerEntryChange.ledgerEntryUpdated(entry(account, assetId, balance, sponsor))
export const createdWith = (account: string, assetId: AssetId, balance: bigint, sponsor: string | null = null) =>
  xdr.LedgerEntryChange.ledgerEntryCreated(entry(account, assetId, balance, sponsor))

/** A balance that an operation changed. Every balance begins at 1000 stroops. */
export const changedBy = (account: string, assetId: AssetId, delta: bigint): ReadonlyArray<xdr.LedgerEntryChange> => [
  stateOf(account, assetId, 1000n),
  updatedTo(account, assetId, 1000n + delta),
]

/** An event of a contract; of the network's own contract for the asset it names, unless another is given. */
export const tokenEvent = (
  name: string,
  who: ReadonlyArray<xdr.ScAddress>,
  assetId: AssetId,
  data: xdr.ScVal,
  contract = sdkAsset(assetId).contractId(handMadeNetwork),
): xdr.ContractEvent =>
  new xdr.ContractEvent({
    ext: extension,
    contractId: contractIdOf(contract),
    type: xdr.ContractEventType.contract,
    body: xdr.ContractEventBody.v0(
      new xdr.ContractEventV0({
        topics: [
          xdr.ScVal.scvSymbol(name),
          ...who.map((address) => xdr.ScVal.scvAddress(address)),
          xdr.ScVal.scvString(assetId),
        ],
        data,
      }),
    ),
  })

const contractIdOf = (contract: string): xdr.ContractId => {
  const address = contractAddress(contract)
  if (address.type !== 'scAddressTypeContract') throw new Error(`${contract} is no contract`)
  return address.contractId
}

export const accountAddress = (account: string): xdr.ScAddress =>
  xdr.ScAddress.scAddressTypeAccount(accountKey(account))
export const contractAddress = (contract: string): xdr.ScAddress => new Address(contract).toScAddress()
export const i128 = (amount: bigint): xdr.ScVal =>
  xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: amount >> 64n, lo: amount & 0xffff_ffff_ffff_ffffn }))

/** An operation, what came of it, and what it did. */
export type HandMadeOperation = {
  readonly operation: xdr.Operation
  readonly result: xdr.OperationResultTr
  readonly changes?: ReadonlyArray<xdr.LedgerEntryChange>
  readonly events?: ReadonlyArray<xdr.ContractEvent>
}

export type HandMadeTransaction = {
  readonly operations: ReadonlyArray<HandMadeOperation>
  readonly memo?: Memo
  readonly hasFailed?: boolean
  readonly fee?: ReadonlyArray<xdr.LedgerEntryChange>
  readonly refund?: ReadonlyArray<xdr.LedgerEntryChange>
  /** The meta of the operations; by default in its newest shape. */
  readonly meta?: (operations: ReadonlyArray<HandMadeOperation>) => xdr.TransactionMeta
}

export const newestMeta = (operations: ReadonlyArray<HandMadeOperation>): xdr.TransactionMeta =>
  xdr.TransactionMeta.v4(
    new xdr.TransactionMetaV4({
      ext: extension,
      txChangesBefore: [],
      operations: operations.map(
        ({ changes = [], events = [] }) =>
          new xdr.OperationMetaV2({ ext: extension, changes: [...changes], events: [...events] }),
      ),
      txChangesAfter: [],
      sorobanMeta: null,
      events: [],
      diagnosticEvents: [],
    }),
  )

/** Payer's transaction in a ledger of its own, which is read as a node would give it. */
export const readHandMade = ({ operations, memo, hasFailed = false, fee, refund, meta }: HandMadeTransaction) => {
  const builder = new TransactionBuilder(new Account(payer, '1'), { fee: '100', networkPassphrase: handMadeNetwork })
  for (const { operation } of operations) builder.addOperation(operation)
  if (memo !== undefined) builder.addMemo(memo)
  const transaction = builder.setTimeout(0).build()
  const results = operations.map(({ result }) => xdr.OperationResult.opInner(result))
  const component = xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(
    new xdr.TxSetComponentTxsMaybeDiscountedFee({ baseFee: null, txs: [transaction.toEnvelope()] }),
  )
  const processed = new xdr.TransactionResultMetaV1({
    ext: extension,
    result: new xdr.TransactionResultPair({
      transactionHash: transaction.hash(),
      result: new xdr.TransactionResult({
        feeCharged: 100n,
        result: hasFailed
          ? xdr.TransactionResultResult.txFailed(results)
          : xdr.TransactionResultResult.txSuccess(results),
        ext: xdr.TransactionResultExt.v0(),
      }),
    }),
    feeProcessing: [...(fee ?? [])],
    txApplyProcessing: (meta ?? newestMeta)(operations),
    postTxApplyFeeProcessing: [...(refund ?? [])],
  })
  return extractLedger(
    xdr.LedgerCloseMeta.v2(
      rebound(
        new xdr.LedgerCloseMetaV2({
          ext: xdr.LedgerCloseMetaExt.v0(),
          ledgerHeader: emptyHeader,
          txSet: xdr.GeneralizedTransactionSet.v1TxSet(
            new xdr.TransactionSetV1({
              previousLedgerHash: zeros,
              phases: [xdr.TransactionPhase.v0Components([component])],
            }),
          ),
          txProcessing: [processed],
          upgradesProcessing: [],
          scpInfo: [],
          totalByteSizeOfLiveSorobanState: 0n,
          evictedKeys: [],
        }),
      ),
    ).toXdr('base64'),
    handMadeNetwork,
  )
}

const everyone: WatchedAccounts = { has: () => true }

export const only = (...accounts: ReadonlyArray<AccountId>): WatchedAccounts => new Set(accounts)

export const movementsIn = (transaction: HandMadeTransaction, watched = everyone) =>
  right(readHandMade(transaction)).movementsOf(watched)

export const creditsIn = (transaction: HandMadeTransaction, watched = everyone) =>
  right(readHandMade(transaction)).incomingPaymentsTo(watched)

/** All movements of a transaction: what, whose, of which asset, how much. */
export const briefly = (transaction: HandMadeTransaction) =>
  movementsIn(transaction).map(({ _tag, account, assetId, delta }) => [_tag, account, assetId, delta])

const zeros = new Uint8Array(32)

const emptyHeader = new xdr.LedgerHeaderHistoryEntry({
  hash: zeros,
  header: new xdr.LedgerHeader({
    ledgerVersion: 27,
    previousLedgerHash: zeros,
    scpValue: new xdr.StellarValue({
      txSetHash: zeros,
      closeTime: 1_790_000_000n,
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: zeros,
    bucketListHash: zeros,
    ledgerSeq: 20,
    totalCoins: 0n,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: 100,
    baseReserve: 5_000_000,
    maxTxSetSize: 1000,
    skipList: [zeros, zeros, zeros, zeros],
    ext: xdr.LedgerHeaderExt.v0(),
  }),
  ext: xdr.LedgerHeaderHistoryEntryExt.v0(),
})
