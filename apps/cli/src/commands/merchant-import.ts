import { resolve } from 'node:path'
import type { ArriveFailure, Billing, KeyHolder } from '@quittance/billing'
import { asText } from '@quittance/domain'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option } from '../command.ts'
import { type CommandError, refused, usageError } from '../command-error.ts'
import { type Failure, failureError } from '../failures.ts'
import type { Installation } from '../installation.ts'
import { exportJson, exportLines, fileError } from './merchant-inspect.ts'

export const merchantImport: Command = {
  name: 'merchant import',
  summary: 'Takes in a merchant that has left another installation.',
  explanation: `First run it with --prepare, and give what it prints to the operator of the other installation: exports are for that name alone,
and only this vault can read them. Then end the service here, and run it with the file: no other process may have the data
directory open. Readers see the whole merchant or nothing. Ingestion goes back to where the other installation stopped. The
merchant arrives suspended, and new keys are made for its accounts: start the service, which puts them on the ledger, look at
\`quittance account show\`, make a backup, and end the suspension with \`quittance merchant reinstate\`, which is refused before.
If it was interrupted, run it again.`,
  options: [
    new Option('--prepare', 'Only prints the name that exports to this installation need.'),
    option('--file <path>', 'The file that `quittance merchant export` has written.'),
    option('--digest <digest>', 'The digest that the other operator has told you; another export is refused.'),
    option('--by <name>', 'The person who decides; recorded. "operator" unless given.'),
  ],
  needsSoundLog: true,
  example: {
    words: '--file acme.export --digest 3f…',
    prints: `mer_… (Acme) is here, suspended.
  settlement G… on testnet
1,204 events in 402 streams, 310 customer keys
digest 3f…
Start the service, and end the suspension once \`quittance account show\` proves the new keys: quittance merchant reinstate`,
    json: '{"merchant_id":"mer_…","name":"Acme","digest":"3f…",…,"imported_now":true,"rotating":["G…"],"recovery_key_needed":[],"not_on_ledger":[]}; with --prepare {"destination":"qd_…"}',
  },
  run: async (line, installation) => {
    const file = line.option('file')
    if (line.isSet('prepare')) return prepared(installation)
    if (file === null) return E.left(usageError('Name the file with --file, or give --prepare.'))
    const by = asText(line.option('by') ?? 'operator')
    const request = { path: resolve(file), digest: line.option('digest'), by }
    const arrived = await installation.withBillingAlone(async ({ leaving }) =>
      E.mapLeft(errorFor)(await leaving.arrive(request)()),
    )
    if (E.isLeft(arrived)) return arrived
    const { merchantId, accounts } = arrived.right.beginning
    // The read models hold the merchant once the data directory is opened again.
    const rotating = await installation.withBilling((billing) => rotate(billing, merchantId, accounts))
    if (E.isLeft(rotating)) return rotating
    return E.right({
      status: 0,
      json: { ...exportJson(arrived.right), imported_now: arrived.right.isNew, ...rotating.right },
      text: [
        `${merchantId} is here, suspended.`,
        ...exportLines(arrived.right),
        ...rotating.right.recovery_key_needed.map(
          (account) => `  only the recovery key can give ${account} another key: quittance recovery prepare`,
        ),
        ...rotating.right.not_on_ledger.map(
          (account) => `  no ledger has ${account}: send it some lumens, then run quittance account rotate`,
        ),
        'Start the service, and end the suspension once `quittance account show` proves the new keys: quittance merchant reinstate',
      ].join('\n'),
    })
  },
}

const prepared = ({ withBilling }: Installation) =>
  withBilling(async ({ leaving }) => {
    const destination = await leaving.destination()
    return E.right({ status: 0 as const, json: { destination }, text: destination })
  })

type Rotating = Readonly<Record<'rotating' | 'recovery_key_needed' | 'not_on_ledger', ReadonlyArray<string>>>
type Accounts = Parameters<typeof exportJson>[0]['beginning']['accounts']

/**
 * Records that each account of which there are keys gets another; the service goes on with it. A person does that where only
 * the recovery key may change signers, and where an account has yet to be created: the source has its first key.
 */
const rotate = async (
  { accountKeys }: Billing,
  merchantId: string,
  accounts: Accounts,
): Promise<E.Either<CommandError | Failure, Rotating>> => {
  const [rotating, forRecoveryKey, notOnLedger] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { environment, holds } of accounts) {
    const holder: KeyHolder = { _tag: holds, merchantId }
    const begun = await accountKeys.rotate(environment, holder)()
    if (E.isLeft(begun) && begun.left._tag === 'SettlementAccountIsOwn') continue
    if (E.isRight(begun)) for (const { account } of begun.right) rotating.add(account)
    else if (begun.left._tag === 'AccountNotOnLedger') notOnLedger.add(begun.left.account)
    else if (begun.left._tag === 'RecoveryKeyNeeded') forRecoveryKey.add(begun.left.account)
    else return begun
  }
  return E.right({
    rotating: [...rotating],
    recovery_key_needed: [...forRecoveryKey],
    not_on_ledger: [...notOnLedger],
  })
}

const errorFor = (failure: ArriveFailure): CommandError => {
  switch (failure._tag) {
    case 'FileUnreadable':
    case 'FileAltered':
    case 'FileForAnother':
    case 'ForeignContent':
      return fileError(failure)
    case 'AlreadyArrived':
      return refused('already_arrived', `${failure.merchantId} is here already. Nothing was changed.`)
    case 'OtherExport':
      return refused('other_export', `The file is another export: its digest is ${failure.digest}.`)
    case 'NetworkDiffers':
      return refused('network_differs', `The merchant was paid on another network: "${failure.networkPassphrase}".`)
    case 'StreamExists':
      return refused('stream_exists', `${failure.stream} is here already. Nothing was changed.`)
    case 'KeyTaken':
      return refused('key_taken', `${failure.cause}. Nothing was changed.`)
    case 'LogNotInFile':
      return refused('log_not_in_file', 'The event log is on a server: move it to a file first (quittance copy).')
    default:
      return failureError(failure)
  }
}
