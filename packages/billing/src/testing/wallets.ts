import { AccountId, AssetId, decimalFromStroops, type Stroops, stroops, TransactionHash } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { privateKeyOf, signBytes } from '@quittance/ledger/testing/ed25519'
import {
  Account,
  Asset,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { passphrase, type TestNetwork } from './network.ts'
import { done, right } from './outcomes.ts'

type Operations = ReadonlyArray<ReturnType<typeof Operation.payment>>

/** What a wallet sends. `parts`: payments of one transaction; `maxTime` in seconds, without end by default. */
export type Sending = {
  readonly to: AccountId
  readonly asset: AssetId
  readonly parts: ReadonlyArray<Stroops>
  readonly memo: string | null
}

const sdkAsset = (assetId: AssetId): Asset => {
  const [code = '', issuer] = assetId.split(':')
  return issuer === undefined ? Asset.native() : new Asset(code, issuer)
}

const signedBy = (key: Keypair, envelopeXdr: string): string => {
  const transaction = TransactionBuilder.fromXdr(envelopeXdr, passphrase)
  transaction.sign(key)
  return transaction.toXdr()
}

/** The accounts of a test, which sign for themselves. */
export const walletsOn = ({ sandbox, usdc, eurc }: Pick<TestNetwork, 'sandbox' | 'usdc' | 'eurc'>) => {
  const sequenceOf = (key: Keypair): bigint => {
    const entry = sandbox.read.findEntry(
      xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: key.xdrAccountId() })),
    )
    if (entry?.data.type !== 'account') throw new Error(`no account ${key.publicKey()}`)
    return entry.data.account.seqNum
  }
  const signed = (key: Keypair, operations: Operations, memo: string | null, maxTime = 0, fee = '1000') => {
    const builder = new TransactionBuilder(new Account(key.publicKey(), sequenceOf(key).toString()), {
      fee,
      networkPassphrase: passphrase,
      timebounds: { minTime: 0, maxTime },
      ...(memo === null ? {} : { memo: Memo.text(memo) }),
    })
    for (const operation of operations) builder.addOperation(operation)
    const transaction = builder.build()
    // By the runtime's own Ed25519: simulations sign by the thousand.
    const signature = signBytes(privateKeyOf(key.rawSecretKey()), transaction.hash())
    transaction.addDecoratedSignature(new xdr.DecoratedSignature({ hint: key.signatureHint(), signature }))
    return transaction
  }
  /** Submits, closes a ledger, and answers the transaction's hash, whatever its outcome. */
  const send = (key: Keypair, operations: Operations, memo: string | null, fee?: string): TransactionHash => {
    const transaction = signed(key, operations, memo, 0, fee)
    const { status, hash } = right(sandbox.submit(transaction.toEnvelope().toXdr('base64')))
    if (status !== 'PENDING') throw new Error(`${hash} was not queued: ${status}`)
    sandbox.close()
    return decoded(TransactionHash, hash)
  }
  const paymentsOf = ({ to, asset, parts }: Omit<Sending, 'memo'>): Operations =>
    parts.map((amount) =>
      Operation.payment({ destination: to, asset: sdkAsset(asset), amount: decimalFromStroops(amount) }),
    )

  const keyOf = (number: number): Keypair => Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(number))
  /** A wallet with 10,000 XLM, USDC and EURC; the same number is the same wallet. */
  const wallet = async (number: number) => {
    const key = keyOf(number)
    await done(sandbox.provision(key.secret()))
    for (const { assetId } of [usdc, eurc]) await done(sandbox.fund({ address: key.publicKey(), assetId }))
    return again(number)
  }
  /** A wallet with 10,000 XLM that trusts no asset. */
  const bareWallet = async (number: number) => {
    await done(sandbox.fund({ address: keyOf(number).publicKey() }))
    return again(number)
  }
  /** A wallet that this network has already. */
  const again = (number: number) => {
    const key = keyOf(number)
    return {
      account: decoded(AccountId, key.publicKey()),
      secret: key.secret(),
      pay: (sending: Sending): TransactionHash => send(key, paymentsOf(sending), sending.memo),
      /** Pays from the muxed address of this number, such as an exchange gives to each of its customers. */
      payMuxed: (id: string, { to, asset, parts, memo }: Sending): TransactionHash => {
        const source = new MuxedAccount(new Account(key.publicKey(), '0'), id).accountId()
        const payment = (amount: Stroops) =>
          Operation.payment({ source, destination: to, asset: sdkAsset(asset), amount: decimalFromStroops(amount) })
        return send(key, parts.map(payment), memo)
      },
      /** Pays with another asset, of which at most 100 may be sent for each part. */
      payByPath: (sold: AssetId, { to, asset, parts, memo }: Sending): TransactionHash => {
        const most = { sendAsset: sdkAsset(sold), sendMax: '100', path: [] }
        const payment = (amount: Stroops) =>
          Operation.pathPaymentStrictReceive({
            ...most,
            destination: to,
            destAsset: sdkAsset(asset),
            destAmount: decimalFromStroops(amount),
          })
        return send(key, parts.map(payment), memo)
      },
      /** A signed payment that is not submitted yet. `maxTime` is in whole seconds. */
      signedPayment: (sending: Sending, maxTime: number): string =>
        signed(key, paymentsOf(sending), sending.memo, maxTime).toEnvelope().toXdr('base64'),
      /** Pays the fee of somebody else's transaction: the envelope around it, and its own hash. */
      bump: (envelopeXdr: string): { readonly envelopeXdr: string; readonly transactionHash: TransactionHash } => {
        const inner = new Transaction(envelopeXdr, passphrase)
        const bump = TransactionBuilder.buildFeeBumpTransaction(key, '10000', inner, passphrase)
        bump.sign(key)
        const transactionHash = decoded(TransactionHash, Buffer.from(bump.hash()).toString('hex'))
        return { envelopeXdr: bump.toEnvelope().toXdr('base64'), transactionHash }
      },
      trust: (asset: AssetId): void => trust(key.secret(), asset),
      /** Bounds what the account may hold of an asset; 0 ends its trust, once it has none. */
      limit: (asset: AssetId, most: Stroops): void => {
        send(key, [Operation.changeTrust({ asset: sdkAsset(asset), limit: decimalFromStroops(most) })], null)
      },
      /** Gives up the account: all that it has goes to another. It must hold nothing but the native asset. */
      merge: (into: AccountId): void => {
        send(key, [Operation.accountMerge({ destination: into })], null)
      },
      /** Asks for a memo on everything that is paid to the account (SEP-29). */
      requireMemo: (): void => {
        send(key, [Operation.manageData({ name: 'config.memo_required', value: '1' })], null)
      },
      /**
       * Puts this up for sale, at so much for each; 0 of it takes the offer of this number back. Offers are found by
       * it.
       */
      offer: (selling: AssetId, amount: Stroops, buying: AssetId, price: number, offerId = '0'): void => {
        const [sold, paid] = [sdkAsset(selling), sdkAsset(buying)]
        const terms = { selling: sold, buying: paid, amount: decimalFromStroops(amount), price, offerId }
        send(key, [Operation.manageSellOffer(terms)], null)
      },
      sign: (envelopeXdr: string): string => signedBy(key, envelopeXdr),
    }
  }
  /** The account of a secret key, which others may use as well. */
  const keyed = (secret: string) => {
    const key = Keypair.fromSecret(secret)
    const account = decoded(AccountId, key.publicKey())
    return { account, sign: (envelopeXdr: string): string => signedBy(key, envelopeXdr) }
  }
  /** Pays from the account of a secret key, which others may use as well. */
  const payFrom = (secret: string, sending: Sending): TransactionHash =>
    send(Keypair.fromSecret(secret), paymentsOf(sending), sending.memo)
  /** Does anything at all with the account of a secret key, for at most `fee` stroops an operation. */
  const act = (secret: string, operations: Operations, fee?: string): TransactionHash =>
    send(Keypair.fromSecret(secret), operations, null, fee)
  /** Creates an account, with a memo. */
  const create = (secret: string, account: AccountId, amount: Stroops, memo: string | null): TransactionHash =>
    send(
      Keypair.fromSecret(secret),
      [Operation.createAccount({ destination: account, startingBalance: decimalFromStroops(amount) })],
      memo,
    )
  /** Lets an account trust an asset that anyone may have issued. */
  const trust = (secret: string, asset: AssetId): void => {
    send(Keypair.fromSecret(secret), [Operation.changeTrust({ asset: sdkAsset(asset) })], null)
  }
  /** Exchanges so much of an account's own, in the way of a payment to itself. */
  const exchange = (secret: string, sold: AssetId, bought: AssetId, amount: Stroops, memo: string): TransactionHash => {
    const key = Keypair.fromSecret(secret)
    const path = { destination: key.publicKey(), destAsset: sdkAsset(bought), destAmount: decimalFromStroops(amount) }
    const most = { sendAsset: sdkAsset(sold), sendMax: '100', path: [] }
    return send(key, [Operation.pathPaymentStrictReceive({ ...path, ...most })], memo)
  }
  return {
    /** A transaction that a key has signed for the account that it names, not submitted yet. */
    signedBy: (key: Keypair, operations: Operations): string =>
      signed(key, operations, null).toEnvelope().toXdr('base64'),
    wallet,
    bareWallet,
    again,
    keyed,
    payFrom,
    create,
    act,
    trust,
    exchange,
    assetNamed: (name: string): AssetId => decoded(AssetId, name),
  }
}

export type Wallet = ReturnType<ReturnType<typeof walletsOn>['again']>

export const units = (amount: number): Stroops => stroops(BigInt(Math.round(amount * 10_000_000)))
