import { right } from '@quittance/domain/testing/outcomes'
import {
  Account,
  Asset,
  Keypair,
  type Operation,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { networkOf } from '../network.ts'
import { openSandbox } from '../sandbox.ts'
import type { Sandbox, StoredTransaction, Submission } from '../sandbox-api.ts'
import { foundedDatabase } from './founded.ts'

/** 2026-11-01T00:00:00Z in milliseconds. */
export const startMs = 1_793_491_200_000

export const testPassphrase = 'Sandbox under test'
export const network = networkOf(testPassphrase)

const issuerKey = (code: string): Keypair => {
  const issuer = network.issuers.find((each) => each.code === code)
  if (issuer === undefined) throw new Error(`no issuer of ${code}`)
  return issuer.keypair
}
export const usdcIssuer = issuerKey('USDC')
export const usdc = new Asset('USDC', usdcIssuer.publicKey())

/** A wall clock that a test moves. */
export type WallClock = { readonly now: () => number; readonly add: (ms: number) => void }

export const wallClockAt = (ms: number): WallClock => {
  let now = ms
  return {
    now: () => now,
    add: (more) => {
      now += more
    },
  }
}

/** A sandbox in memory. Its wall clock stands still; its ledgers close on command. */
export const sandboxInMemory = (wall: WallClock = wallClockAt(startMs)): Sandbox =>
  openSandbox({
    database: foundedDatabase(testPassphrase, wall.now()),
    wallClock: wall.now,
    passphrase: testPassphrase,
  })

/** A deterministic key. */
export const keyNumber = (number: number): Keypair => Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(number))

export const accountEntry = (sandbox: Sandbox, key: Keypair): xdr.AccountEntry => {
  const ledgerKey = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: key.xdrAccountId() }))
  const data = sandbox.read.findEntry(ledgerKey)?.data
  if (data?.type !== 'account') throw new Error(`no account ${key.publicKey()}`)
  return data.account
}

export const trustline = (sandbox: Sandbox, key: Keypair, asset: Asset): xdr.TrustLineEntry => {
  const ledgerKey = new xdr.LedgerKeyTrustLine({
    accountId: key.xdrAccountId(),
    asset: asset.toTrustLineXdrObject(),
  })
  const data = sandbox.read.findEntry(xdr.LedgerKey.trustline(ledgerKey))?.data
  if (data?.type !== 'trustline') throw new Error('no such trustline')
  return data.trustLine
}

export type Build = {
  readonly fee?: string
  readonly passphrase?: string
  readonly sequence?: bigint
  readonly minTime?: number
  readonly maxTime?: number
  readonly signers?: ReadonlyArray<Keypair>
}

/** A transaction with the account's next sequence number, signed by the account by default. */
export const signed = (
  sandbox: Sandbox,
  source: Keypair,
  operations: ReadonlyArray<ReturnType<typeof Operation.payment>>,
  { fee = '100', passphrase = testPassphrase, sequence, minTime = 0, maxTime = 0, signers = [source] }: Build = {},
): Transaction => {
  const last = sequence === undefined ? accountEntry(sandbox, source).seqNum : sequence - 1n
  const builder = new TransactionBuilder(new Account(source.publicKey(), last.toString()), {
    fee,
    networkPassphrase: passphrase,
    timebounds: { minTime, maxTime },
  })
  for (const operation of operations) builder.addOperation(operation)
  const transaction = builder.build()
  transaction.sign(...signers)
  return transaction
}

export const submit = (sandbox: Sandbox, transaction: Transaction): Submission =>
  right(sandbox.submit(transaction.toEnvelope().toXdr('base64')))

/** The network's name of a result, or of the failed operation in it. */
export const codeOf = (result: xdr.TransactionResult): string => {
  const outcome = result.result
  if (outcome.type !== 'txFailed') return outcome.type
  const failures = outcome.results.map((each) => (each.type === 'opInner' ? each.tr.value.type : each.type))
  return failures.find((name) => !name.endsWith('Success')) ?? outcome.type
}

export const refusalOf = (submission: Submission): string =>
  submission.status === 'ERROR'
    ? codeOf(xdr.TransactionResult.fromXdr(submission.errorResult, 'base64'))
    : submission.status

/** Submits, closes a ledger and answers the network's name of the outcome, whichever step refused it. */
export const outcomeOf = (sandbox: Sandbox, transaction: Transaction): string => {
  const submission = submit(sandbox, transaction)
  if (submission.status !== 'PENDING') return refusalOf(submission)
  sandbox.close()
  return codeOf(xdr.TransactionResult.fromXdr(appliedOf(sandbox, submission.hash).result))
}

export const appliedOf = (sandbox: Sandbox, hash: string): StoredTransaction => {
  const found = sandbox.read.findTransaction(hash)
  if (found === undefined) throw new Error(`${hash} is in no ledger`)
  return found
}

/** Funds accounts with 10,000 XLM each. */
export const funded = async (sandbox: Sandbox, ...keys: ReadonlyArray<Keypair>): Promise<void> => {
  for (const key of keys) right(await sandbox.fund({ address: key.publicKey() })())
}
