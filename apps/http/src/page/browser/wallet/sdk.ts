/**
 * The part of `@stellar/stellar-sdk` that the sandbox wallet uses. The library comes from its own browser bundle, and
 * only when the wallet is used. A test holds this description against the library's types.
 */
export type StellarSdk = {
  Keypair: {
    random(): Keypair
    fromSecret(secret: string): Keypair
    fromPublicKey(address: string): Keypair
  }
  Account: new (address: string, sequence: string) => Account
  Asset: new (code: string, issuer: string) => Asset
  Operation: { changeTrust(options: { asset: Asset }): ChangeTrust }
  TransactionBuilder: {
    new (source: Account, options: BuilderOptions): TransactionBuilder
    fromXdr(envelope: string, networkPassphrase: string): Transaction | { innerTransaction: unknown }
  }
  xdr: { LedgerEntryData: { fromXdr(text: string, format: 'base64'): { type: string; value: unknown } } }
}

export type Keypair = { publicKey(): string; secret(): string; rawPublicKey(): Uint8Array }

type Account = {
  accountId(): string
  sequenceNumber(): string
  incrementSequenceNumber(): void
}

export type Asset = { isNative(): boolean; getCode(): string; getIssuer(): string | undefined }

/** `type` says which; the others are those of a plain payment. */
export type Operation = {
  type: string
  source?: string | undefined
  destination?: string
  amount?: string
  asset?: Asset
}

/** Opaque: made by `Operation.changeTrust`, taken by `addOperation`. */
type ChangeTrust = object

type BuilderOptions = {
  fee: string
  networkPassphrase: string
  timebounds: { minTime: string; maxTime: string }
}

type TransactionBuilder = { addOperation(operation: ChangeTrust): TransactionBuilder; build(): Transaction }

export type Transaction = {
  source: string
  fee: string
  operations: ReadonlyArray<Operation>
  memo: { type: string; value: Uint8Array | string | null }
  sign(...keypairs: ReadonlyArray<Keypair>): void
  hash(): Uint8Array
  toXdr(): string
}
