/**
 * The part of `@stellar/stellar-sdk` that the page uses for wallets. The library comes from its own browser bundle, and
 * only when the wallet is used. A test holds this description against the library's types.
 */
export type StellarSdk = {
  Keypair: {
    random(): Keypair
    fromSecret(secret: string): Keypair
    fromPublicKey(address: string): Keypair
  }
  Account: new (address: string, sequence: string) => Account
  Asset: { new (code: string, issuer: string): Asset; native(): Asset }
  Operation: { changeTrust(options: { line?: object }): object }
  TransactionBuilder: {
    new (source: Account, options: BuilderOptions): TransactionBuilder
    fromXdr(envelope: string, networkPassphrase: string): Transaction | { innerTransaction: unknown }
  }
  xdr: { LedgerEntryData: { fromXdr(text: string, format: 'base64'): { type: string; value: unknown } } }
}

export type Keypair = {
  publicKey(): string
  secret(): string
  rawPublicKey(): Uint8Array
  verify(data: Uint8Array, signature: Uint8Array): boolean
}

type Asset = { contractId(networkPassphrase: string): string }

type Account = {
  accountId(): string
  sequenceNumber(): string
  incrementSequenceNumber(): void
}

type BuilderOptions = {
  fee: string
  networkPassphrase: string
  timebounds: { minTime: string; maxTime: string }
}

type TransactionBuilder = { addOperation(operation: object): TransactionBuilder; build(): Transaction }

export type Transaction = {
  source: string
  fee: string
  operations: ReadonlyArray<{ type: string }>
  memo: { type: string; value: Uint8Array | string | null }
  signatures: ReadonlyArray<{ signature: { value: Uint8Array } }>
  sign(...keypairs: ReadonlyArray<Keypair>): void
  hash(): Uint8Array
  toXdr(): string
}
