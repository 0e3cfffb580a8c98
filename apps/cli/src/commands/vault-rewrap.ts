import type { RewrapRefusal } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption } from '../command.ts'
import { type CommandError, refused, usageError } from '../command-error.ts'
import { isSecretSource } from '../installation.ts'
import { counted } from '../printing.ts'

const newKeyVariable = 'QUITTANCE_NEW_MASTER_KEY'

export const vaultRewrap: Command = {
  name: 'vault rewrap',
  summary: 'Gives the vault another master key.',
  explanation: `Wraps every key in the vault with a new master key (64 hex digits), in one transaction. If the process is killed, the vault
opens under the old key or under the new one, and running the command again goes on. Afterwards the old key opens nothing
in the vault: start the service with the new one. No process may have the vault open meanwhile. Keep the old key for
backups that were made before. Whoever has a copy of the vault and its old master key still has every key in it:
\`quittance account rotate\` takes the weight of those.`,
  options: [
    mandatoryOption('--new-key <env|stdin>', `Where the new key is: ${newKeyVariable} (or its file) or stdin.`),
  ],
  needsSoundLog: false,
  example: {
    words: '--new-key stdin < new-key.txt',
    prints: 'ok: 214 keys are wrapped by the new master key. Start the service with it.',
    json: '{"rewrapped":214}',
  },
  run: async (line, { vault, secretFrom }) => {
    const source = line.required('new-key')
    if (!isSecretSource(source)) return E.left(usageError('--new-key takes env or stdin, never the key itself.'))
    const opened = await vault()
    if (E.isLeft(opened)) return opened
    const { host, files, masterKey, databaseUrl } = opened.right
    const newKey = host.masterKeyFromHex(await secretFrom(source, newKeyVariable))
    if (E.isLeft(newKey))
      return E.left(usageError(`There are no 64 hex digits in ${source === 'env' ? newKeyVariable : 'stdin'}.`))
    const rewrapped =
      databaseUrl === null
        ? host.rewrapDataDir(files, masterKey, newKey.right)
        : await host.rewrapDatabase(databaseUrl, masterKey, newKey.right)
    if (E.isLeft(rewrapped)) return E.left(errorFor(rewrapped.left))
    const text =
      rewrapped.right === 0
        ? 'ok: the vault opens under this master key already.'
        : `ok: ${counted(rewrapped.right, 'key')} are wrapped by the new master key. Start the service with it.`
    return E.right({ status: 0, json: { rewrapped: rewrapped.right }, text })
  },
}

const errorFor = (refusal: RewrapRefusal): CommandError => {
  switch (refusal._tag) {
    case 'VaultInUse':
      return refused('target_in_use', 'Another process has the vault open: end the service first. Nothing was changed.')
    case 'WrongMasterKey':
      return refused('wrong_master_key', 'The vault opens neither under the present master key nor under the new one.')
    case 'VaultEmpty':
      return refused('no_vault', 'The data directory holds no vault.')
    case 'RestoreInterrupted':
      return refused('restore_interrupted', 'A restore into this directory was interrupted: run it again first.')
  }
}
