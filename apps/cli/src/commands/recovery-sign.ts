import { randomBytes } from 'node:crypto'
import { decimalFromStroops } from '@quittance/domain'
import type { OfflineRotation, SigningKey } from '@quittance/ledger'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption, option, type ParsedLine } from '../command.ts'
import { type CommandError, refused, usageError } from '../command-error.ts'
import { type Installation, isSecretSource } from '../installation.ts'
import { type RecoveryTransactions, readTransactions, writeTransactions } from './recovery-files.ts'

const secretVariable = 'QUITTANCE_RECOVERY_SECRET'

export const recoveryCreate: Command = {
  name: 'recovery create',
  summary: 'Makes a recovery key, on a machine that is offline.',
  explanation: `Prints a new public key (G…) and its secret (S…), and keeps neither. Write the secret down in two places. Give only the
public key to the service: \`quittance recovery set\`. Needs no network, no configuration and no data directory.`,
  options: [],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `public key  GRECOVERY…
secret      SRECOVERY…`,
    json: '{"public_key":"G…","secret":"S…"}',
  },
  run: async () => {
    const { keyPairFromSeed } = await import('@quittance/ledger')
    const { accountId, secret } = keyPairFromSeed(randomBytes(32))
    const text = `public key  ${accountId}\nsecret      ${secret}`
    return E.right({ status: 0, json: { public_key: accountId, secret }, text })
  },
}

export const recoverySign: Command = {
  name: 'recovery sign',
  summary: 'Shows what the recovery key is to sign, and signs it, on a machine that is offline.',
  explanation: `Reads the transactions of \`quittance recovery prepare\`, and says what each does: read this, and compare the new key with
what the service has printed. With --out, it signs them into a new file for \`quittance recovery submit\`. Needs no network, no
configuration and no data directory. It refuses a transaction that does anything but give an account another key, unless --force.`,
  options: [
    mandatoryOption('--transaction <file>', 'The file of `quittance recovery prepare`.'),
    option('--source <env|stdin>', `Where the recovery key's secret (S…) is: ${secretVariable} or stdin.`),
    option('--out <file>', 'Signs, and writes the signed transactions to this new file.'),
    new Option('--force', 'Signs a transaction of another form, too.'),
  ],
  needsSoundLog: false,
  example: {
    words: '--transaction prepared.json --source stdin --out signed.json',
    prints: `on the network "Public Global Stellar Network ; September 2015", transaction 6f1a3c52…:
  the account GACCOUNT… is signed for by GNEWKEY… (weight 1) from then on
  these lose their weight: GACCOUNT…
  GRECOVERY… pays at most 0.15 XLM, and keeps the reserve of the new signer, 0.5 XLM
  no ledger takes it after 2026-11-26T20:58:00.000Z
signed by GRECOVERY…`,
    json: '[{"account":"G…","to":"G…","removed":["G…"],"transaction_hash":"…","signed_by":"G…","expires_at":"…"}]',
  },
  run: async (line, installation) => {
    const transactions = readTransactions(line.required('transaction'))
    if (E.isLeft(transactions)) return transactions
    const signer = await signerFrom(line, installation)
    if (E.isLeft(signer)) return signer
    const shown = await shownTransactions(transactions.right, line.isSet('force'))
    if (E.isLeft(shown)) return shown
    const { signEnvelope } = await import('@quittance/ledger')
    const out = line.option('out')
    if (out !== null && signer.right === null) return E.left(usageError('--out takes a secret: --source env or stdin.'))
    if (out !== null && signer.right !== null) {
      const foreign = shown.right.find(({ read }) => read !== null && read.recoveryKey !== signer.right?.publicKey)
      if (foreign !== undefined)
        return E.left(
          refused('wrong_key', `The secret is that of ${signer.right.publicKey}, not of ${foreign.read?.recoveryKey}.`),
        )
      const signed: Array<RecoveryTransactions[number]> = []
      for (const { network_passphrase, transaction } of transactions.right) {
        const envelope = await signEnvelope(transaction, [signer.right], network_passphrase)()
        if (E.isLeft(envelope)) return E.left(refused('signer_unavailable', 'The secret cannot sign.'))
        signed.push({ network_passphrase, transaction: envelope.right })
      }
      const written = writeTransactions(out, signed)
      if (E.isLeft(written)) return written
    }
    const by = out === null ? null : (signer.right?.publicKey ?? null)
    const text = [...shown.right.map(({ text }) => text), by === null ? 'nothing was signed' : `signed by ${by}`].join(
      '\n',
    )
    return E.right({ status: 0, json: shown.right.map(({ json }) => ({ ...json, signed_by: by })), text })
  },
}

/** The error does not repeat the text, which may be a secret. */
const signerFrom = async (
  line: ParsedLine,
  installation: Installation,
): Promise<E.Either<CommandError, SigningKey | null>> => {
  const source = line.option('source')
  if (source === null) return E.right(null)
  if (!isSecretSource(source)) return E.left(usageError('--source takes env or stdin, never a secret itself.'))
  const { signerOfSecret } = await import('@quittance/ledger')
  const signer = signerOfSecret(await installation.secretFrom(source, secretVariable))
  const place = source === 'env' ? secretVariable : 'stdin'
  return signer === null ? E.left(usageError(`There is no secret (S…) in ${place}.`)) : E.right(signer)
}

type Shown = { readonly read: OfflineRotation | null; readonly text: string; readonly json: object }

/** What each transaction does, by its own bytes and not by what the file says beside them. */
const shownTransactions = async (
  transactions: RecoveryTransactions,
  isForced: boolean,
): Promise<E.Either<CommandError, ReadonlyArray<Shown>>> => {
  const { operationNames, readOfflineRotation } = await import('@quittance/ledger')
  const shown: Array<Shown> = []
  for (const { network_passphrase, transaction } of transactions) {
    const read = readOfflineRotation(transaction, network_passphrase)
    const names = operationNames(transaction)
    if (names === null) return E.left(refused('unknown_form', 'This is no transaction.'))
    if (read === null && !isForced)
      return E.left(
        refused(
          'unknown_form',
          `It does something else than to give an account another key: ${names.join(', ')}. Nothing was signed.`,
        ),
      )
    shown.push(read === null ? otherwise(network_passphrase, names) : rotation(network_passphrase, read))
  }
  return E.right(shown)
}

const otherwise = (passphrase: string, names: ReadonlyArray<string>): Shown => ({
  read: null,
  text: `on the network "${passphrase}", A TRANSACTION OF ANOTHER FORM: ${names.join(', ')}`,
  json: { operations: names },
})

const rotation = (passphrase: string, read: OfflineRotation): Shown => {
  const { transactionHash, account, to, weight, removed, recoveryKey, fee, maxTime } = read
  const expiresAt = new Date(maxTime).toISOString()
  const lines = [
    `on the network "${passphrase}", transaction ${transactionHash}:`,
    `the account ${account} is signed for by ${to} (weight ${weight}) from then on`,
    `these lose their weight: ${removed.length === 0 ? 'none' : removed.join(', ')}`,
    `${recoveryKey} pays at most ${decimalFromStroops(fee)} XLM, and keeps the reserve of the new signer, 0.5 XLM`,
    `no ledger takes it after ${expiresAt}`,
  ]
  const json = {
    account,
    to,
    weight,
    removed,
    transaction_hash: transactionHash,
    recovery_key: recoveryKey,
    expires_at: expiresAt,
  }
  return { read, text: lines.join('\n  '), json }
}
