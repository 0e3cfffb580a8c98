import { AccountId } from '@quittance/domain'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption, option } from '../command.ts'
import { usageError } from '../command-error.ts'
import { environmentOption, inEnvironment, merchantOption } from '../scope.ts'
import { holderOf, resultOf, type Shown, secondsToWait, waitOption, whenOver, which } from './account.ts'
import { readTransactions, writeTransactions } from './recovery-files.ts'

export const recoverySet: Command = {
  name: 'recovery set',
  summary: 'Gives an account of the service a recovery signer, whose secret is held offline.',
  explanation: `Adds a key (G…) to the signers of the account, in place of an earlier recovery signer. The service never sees its secret:
make it with \`quittance recovery create\` on a machine that is offline. With it, a person gives the account another key when
the service's key is lost or stolen (\`quittance recovery prepare\`). Without --thresholds, the service's key may still change
signers, and whoever steals it may remove the recovery signer. With --thresholds, the service's key only pays: nobody but the
holder of the recovery key can change signers from then on, not even the service. A new signer takes 0.5 XLM on the account.`,
  argument: which,
  options: [
    environmentOption,
    merchantOption,
    mandatoryOption('--signer <account>', 'The public key (G…) of the recovery key.'),
    new Option('--thresholds', 'Only the recovery key may change signers from then on.'),
    waitOption,
  ],
  needsSoundLog: true,
  example: {
    words: 'settlement --signer GRECOVERY… --thresholds --environment mainnet',
    prints: `GACCOUNT… as of ledger 51355112: a transaction takes a weight of 1
KEY            WEIGHT  OURS
GACCOUNT…      1       yes
GRECOVERY…     2       recovery
only the recovery signer GRECOVERY… may change signers`,
    json: 'as of `account show`',
  },
  run: async (line, installation) => {
    const wait = secondsToWait(line)
    if (E.isLeft(wait)) return wait
    const signer = line.required('signer')
    if (!AccountId.is(signer)) return E.left(usageError('--signer takes a public key (G…), never a secret.'))
    return inEnvironment(line, installation, async (billing, { environment }): Shown => {
      const holder = await holderOf(billing, line)
      if (E.isLeft(holder)) return holder
      const wanted = { signer, isProtected: line.isSet('thresholds') }
      const begun = await billing.accountRecovery.set(environment, holder.right, wanted)()
      if (E.isLeft(begun)) return begun
      const shown = await whenOver(begun.right, wait.right, billing.accountKeys.show(environment, holder.right))
      return E.right(resultOf(shown))
    })
  },
}

const usualDays = 3
const mostDays = 7

export const recoveryPrepare: Command = {
  name: 'recovery prepare',
  summary: 'Prepares the transaction with which the recovery key gives an account another key.',
  explanation: `Makes a new key in the vault, and the transaction that gives it the weight of the account and takes the weight of every
other key, whoever's it is, but the recovery key's. Only the recovery key has to sign it: \`quittance recovery sign\`, on a machine
that is offline. Its sequence number, its fee and the new signer's reserve are those of the recovery key's own account, which nobody
else can use: create that account with 3 XLM. Prepare what belongs together in one call, and submit it before you prepare more.
Works while the log is rolled back, as it is after a theft.`,
  argument: which,
  options: [
    environmentOption,
    merchantOption,
    mandatoryOption('--out <file>', 'A new file for the transactions.'),
    option('--signer <account>', 'The recovery key (G…), if the log does not name it.'),
    option('--days <days>', `How long it can be signed and sent: ${usualDays} days unless given, at most ${mostDays}.`),
  ],
  needsSoundLog: false,
  example: {
    words: 'settlement --environment mainnet --out prepared.json',
    prints: `GACCOUNT… gets the key GNEWKEY… once GRECOVERY… has signed, until 2026-11-26T20:58:00.000Z
Make a backup, which has the new key. Then: quittance recovery sign`,
    json: '[{"account":"G…","to":"G…","recovery_key":"G…","network_passphrase":"…","transaction":"AAAA…","expires_at":"…"}]',
  },
  run: async (line, installation) => {
    const signer = line.option('signer')
    if (signer !== null && !AccountId.is(signer)) return E.left(usageError('--signer takes a public key (G…).'))
    const days = Number(line.option('days') ?? usualDays)
    if (!Number.isInteger(days) || days < 1 || days > mostDays)
      return E.left(usageError(`--days takes a number from 1 to ${mostDays}.`))
    return inEnvironment(line, installation, async (billing, { environment }): Shown => {
      const holder = await holderOf(billing, line)
      if (E.isLeft(holder)) return holder
      const prepared = await billing.accountRecovery.prepare(environment, holder.right, { signer, days })()
      if (E.isLeft(prepared)) return prepared
      const json = prepared.right.map(({ account, to, recoveryKey, networkPassphrase, envelopeXdr, maxTime }) => ({
        account,
        to,
        recovery_key: recoveryKey,
        network_passphrase: networkPassphrase,
        transaction: envelopeXdr,
        expires_at: new Date(maxTime).toISOString(),
      }))
      const written = writeTransactions(line.required('out'), json)
      if (E.isLeft(written)) return written
      const lines = json.map(
        (each) =>
          `${each.account} gets the key ${each.to} once ${each.recovery_key} has signed, until ${each.expires_at}`,
      )
      const next = 'Make a backup, which has the new key. Then: quittance recovery sign'
      return E.right({ status: 0, json, text: [...lines, next].join('\n') })
    })
  },
}

export const recoverySubmit: Command = {
  name: 'recovery submit',
  summary: 'Has the service send what the recovery key has signed.',
  explanation: `Records the signed transactions. The service sends each until a ledger holds it or it expires; if the command is stopped,
that goes on. Payments go on meanwhile by the earlier key, if that has weight. While the log is rolled back, use
\`quittance recovery send\`.`,
  argument: which,
  options: [
    environmentOption,
    merchantOption,
    mandatoryOption('--transaction <file>', 'The file of `quittance recovery sign`.'),
    waitOption,
  ],
  needsSoundLog: true,
  example: {
    words: 'settlement --environment mainnet --transaction signed.json',
    prints: `GACCOUNT… as of ledger 51355112: a transaction takes a weight of 1
KEY            WEIGHT  OURS
GACCOUNT…      0       yes
GRECOVERY…     2       recovery
GNEWKEY…       1       yes
rotated to GNEWKEY… in ledger 51355110: no other key has weight
only the recovery signer GRECOVERY… may change signers`,
    json: 'as of `account show`',
  },
  run: async (line, installation) => {
    const wait = secondsToWait(line)
    if (E.isLeft(wait)) return wait
    const signed = readTransactions(line.required('transaction'))
    if (E.isLeft(signed)) return signed
    return inEnvironment(line, installation, async (billing, { environment }): Shown => {
      const holder = await holderOf(billing, line)
      if (E.isLeft(holder)) return holder
      const envelopes = signed.right.map(({ transaction }) => transaction)
      const begun = await billing.accountRecovery.submit(environment, holder.right, envelopes)()
      if (E.isLeft(begun)) return begun
      const shown = await whenOver(begun.right, wait.right, billing.accountKeys.show(environment, holder.right))
      return E.right(resultOf(shown))
    })
  },
}
