import { readFileSync, writeFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandError, usageError } from '../command-error.ts'

/** Transactions for the recovery key, as they go from one machine to the other and back. `transaction` is base64 XDR. */
export type RecoveryTransactions = ReadonlyArray<{
  readonly network_passphrase: string
  readonly transaction: string
}>

const isTransaction = (each: unknown): each is RecoveryTransactions[number] =>
  typeof each === 'object' &&
  each !== null &&
  'network_passphrase' in each &&
  'transaction' in each &&
  typeof each.network_passphrase === 'string' &&
  typeof each.transaction === 'string'

export const readTransactions = (path: string): E.Either<CommandError, RecoveryTransactions> => {
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (Array.isArray(found) && found.length > 0 && found.every(isTransaction)) return E.right(found)
  } catch {
    // As a file without transactions.
  }
  return E.left(usageError('--transaction takes a file of `quittance recovery prepare` or `quittance recovery sign`.'))
}

/** Writes a new file: an earlier one may hold transactions that somebody still needs. */
export const writeTransactions = (path: string, transactions: unknown): E.Either<CommandError, void> => {
  try {
    return E.right(writeFileSync(path, `${JSON.stringify(transactions, null, 2)}\n`, { flag: 'wx' }))
  } catch {
    return E.left(usageError('--out takes a file that does not exist yet.'))
  }
}
