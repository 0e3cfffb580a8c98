import { availableParallelism } from 'node:os'
import { type AddressRanges, addressRanges, noRanges, type Witness } from '@quittance/billing'
import { AccountId, type Environment } from '@quittance/domain'
import type { RatesConfig } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type AlarmEndpoint, alarmsIn } from './alarms-setting.ts'
import { type SmtpServer, smtpIn } from './mail/mail-setting.ts'
import { type NetworkConfig, networkConfigs } from './network-config.ts'
import { ratesIn } from './rates-setting.ts'
import { pathsUrls, usesSandbox } from './sandbox-config.ts'
import {
  type ConfigProblem,
  exactly,
  httpUrl,
  listOf,
  matching,
  number,
  oneOf,
  type Read,
  settingsIn,
  type Variables,
} from './settings.ts'
import { type Tracing, tracingIn } from './tracing/tracing-setting.ts'
import { type WalletConnectRelay, walletConnectIn } from './wallet-connect-setting.ts'
import { witnessesIn } from './witnesses-setting.ts'

/** Everything that the environment configures. */
export type Config = {
  /** Whether no other process may have the data directory open. */
  readonly isAlone?: boolean
  readonly port: number
  readonly host: string
  /** The port of the metrics, on the same host. Null: a free port, for this machine alone. */
  readonly metricsPort: number | null
  /** The token of the operator's routes beside the metrics. Null: there are none. */
  readonly operatorToken: string | null
  readonly dataDir: string
  /** The PostgreSQL that holds everything; null: files of the data directory do. */
  readonly databaseUrl: string | null
  /** Another PostgreSQL for the vault; null: the same. */
  readonly vaultUrl: string | null
  /** The connection string of a remote log; null: a SQLite file in the data directory. */
  readonly eventStore: string | null
  /** How long a call to the server of a remote log may take. */
  readonly eventStoreDeadlineMs: number
  /** How many processes answer requests. The first one does all other work, too. */
  readonly processes: number
  /** How long a server that is told to stop still answers, while `/ready` says 503. */
  readonly stopDelayMs: number
  readonly networks: Readonly<Record<Environment, NetworkConfig>>
  /** 64 hex digits; null: generated into the data directory, for the sandbox only. */
  readonly masterKey: string | null
  /** The sources of rates. Null: pinned rates in the sandbox, none elsewhere. */
  readonly rates: RatesConfig | null
  /** Horizon-style servers that find paths. Null: the sandbox's own, none elsewhere. */
  readonly pathsUrls: Readonly<Record<Environment, string | null>>
  /** Whether the testnet is the sandbox. */
  readonly usesSandbox: boolean
  /** Whether the sandbox is the testnet because it was requested by name. */
  readonly isSandboxRequested: boolean
  /** The address that payers use; null: the one that the service listens on. */
  readonly publicUrl: string | null
  readonly payerRateLimit: number
  /** Requests a minute that one key may send. Null: as many as it likes. */
  readonly keyRateLimit: number | null
  /** Shared accounts, such as those of exchanges, which tell owners apart by memos: payouts to them are refused. */
  readonly omnibusAccounts: ReadonlySet<AccountId>
  /** The recovery key (G…) of settlement accounts that are set up from now on; null: they get none. */
  readonly recoverySigner: AccountId | null
  /** The file of addresses with whom nothing is dealt; null: there is none. */
  readonly denyList: string | null
  /** The operator's own service that lists such addresses, and the bearer token for it; null: there is none. */
  readonly screening: { readonly url: string; readonly token: string | null } | null
  /** The proxies whose `X-Forwarded-…` headers are believed. */
  readonly trustedProxies: AddressRanges
  /** Private address ranges that webhooks may reach. */
  readonly deliveryAllow: AddressRanges
  /** Where alarms go; null: to the log alone. */
  readonly alarms: AlarmEndpoint | null
  /** Null: no mail is sent, but in the sandbox, whose mails stay in it. */
  readonly smtp: SmtpServer | null
  /** The relay by which payers use wallets on other devices; null: they cannot. */
  readonly walletConnect: WalletConnectRelay | null
  /** Who is asked to cosign checkpoints of the log. */
  readonly witnesses: ReadonlyArray<Witness>
  /** Where spans are sent by the standard variables of OpenTelemetry; null: nowhere. */
  readonly tracing: Tracing | null
  readonly logLevel: LogLevel
}

const LogLevel = t.keyof({ fatal: null, error: null, warn: null, info: null, debug: null, trace: null, silent: null })
type LogLevel = t.TypeOf<typeof LogLevel>

const accounts: Read<ReadonlySet<AccountId>> = (text) => {
  const listed = listOf(oneOf(AccountId))(text)
  return listed === null ? null : new Set(listed)
}

/** Read by the command line and by programs of the client. */
const commandVariables = [
  'QUITTANCE_API_URL',
  'QUITTANCE_API_KEY',
  'QUITTANCE_SOURCE_SECRET',
  'QUITTANCE_NEW_MASTER_KEY',
  'QUITTANCE_RECOVERY_SECRET',
]

const eventStores = 'sqlite or a connection string (esdb://… or esdb+discover://…)'
const eventStore = /^(sqlite$|(esdb|kurrentdb|kdb)(\+discover)?:\/\/.)/
const databases = 'the address of a PostgreSQL (postgres://…)'
const database = /^postgres(ql)?:\/\/./
const eventStoreNamed = (text: string): string | null => (text === 'sqlite' ? null : text)

const mostProcesses = 64

/**
 * Decodes the environment and the file that it names, and reports all problems together. Empty variables count as
 * unset; a misspelt name is a problem, because real money may depend on it.
 */
export const configFrom = (variables: Variables): E.Either<ReadonlyArray<ConfigProblem>, Config> => {
  const settings = settingsIn(variables)
  const { read, problems } = settings
  const port = 'a port from 0 to 65535'
  read('READ_MODELS', 'sqlite', exactly('sqlite'), 'sqlite')
  const process = {
    port: read('PORT', port, number(0, 65535), 3000),
    host: read('HOST', 'an address to listen on', matching(/^[\w.:-]+$/), '127.0.0.1'),
    metricsPort: read<number | null>('METRICS_PORT', port, number(0, 65535), null),
    operatorToken: read<string | null>(
      'OPERATOR_TOKEN',
      '32 to 200 characters without spaces',
      matching(/^[\x21-\x7e]{32,200}$/),
      null,
    ),
    dataDir: read('DATA_DIR', 'a directory', matching(/./), './data'),
    databaseUrl: read<string | null>('DATABASE_URL', databases, matching(database), null),
    vaultUrl: read<string | null>('VAULT_URL', databases, matching(database), null),
    eventStore: eventStoreNamed(read('EVENT_STORE', eventStores, matching(eventStore), 'sqlite')),
    eventStoreDeadlineMs: read(
      'EVENT_STORE_DEADLINE_MS',
      'milliseconds, from 500 to 60000',
      number(500, 60_000),
      5_000,
    ),
    processes: read(
      'PROCESSES',
      `a number from 1 to ${mostProcesses}, or auto`,
      (text) => (text === 'auto' ? Math.min(availableParallelism(), mostProcesses) : number(1, mostProcesses)(text)),
      1,
    ),
    stopDelayMs: read('STOP_DELAY_MS', 'milliseconds, from 0 to 60000', number(0, 60_000), 0),
  }
  if (process.vaultUrl !== null && process.databaseUrl === null)
    settings.complain({ variable: 'QUITTANCE_VAULT_URL', expected: 'unset, since QUITTANCE_DATABASE_URL is' })
  const networks = networkConfigs(settings)
  const screeningUrl = read<string | null>('SCREENING_URL', 'an http(s) address', httpUrl, null)
  const screeningToken = read<string | null>(
    'SCREENING_TOKEN',
    '1 to 4,096 characters without spaces',
    matching(/^[\x21-\x7e]{1,4096}$/),
    null,
  )
  if (screeningToken !== null && screeningUrl === null)
    settings.complain({ variable: 'QUITTANCE_SCREENING_TOKEN', expected: 'unset, since QUITTANCE_SCREENING_URL is' })
  const config: Config = {
    ...process,
    networks,
    usesSandbox: usesSandbox(settings, networks),
    isSandboxRequested: settings.isSet('SANDBOX'),
    masterKey: read<string | null>('MASTER_KEY', '64 hex digits', matching(/^[0-9a-fA-F]{64}$/), null),
    rates: ratesIn(settings),
    pathsUrls: pathsUrls(settings, networks),
    publicUrl: read<string | null>('PUBLIC_URL', 'an http(s) address', httpUrl, null),
    payerRateLimit: read('PAYER_RATE_LIMIT', 'requests a minute for one address', number(1, 1_000_000), 600),
    keyRateLimit: read<number | null>(
      'KEY_RATE_LIMIT',
      'requests a minute for one API key',
      number(1, 1_000_000),
      null,
    ),
    omnibusAccounts: read('OMNIBUS_ACCOUNTS', 'Stellar accounts (G…), separated by commas', accounts, new Set()),
    recoverySigner: read<AccountId | null>('RECOVERY_SIGNER', 'a public key (G…)', oneOf(AccountId), null),
    denyList: read<string | null>('DENY_LIST', 'a file', matching(/./), null),
    screening: screeningUrl === null ? null : { url: screeningUrl, token: screeningToken },
    trustedProxies: read('TRUSTED_PROXIES', 'addresses or ranges, separated by commas', addressRanges, noRanges),
    deliveryAllow: read('DELIVERY_ALLOW', 'ranges of addresses, separated by commas', addressRanges, noRanges),
    alarms: alarmsIn(settings),
    smtp: smtpIn(settings),
    walletConnect: walletConnectIn(settings),
    witnesses: witnessesIn(settings),
    tracing: tracingIn(variables, settings),
    logLevel: read('LOG_LEVEL', 'fatal, error, warn, info, debug, trace or silent', oneOf(LogLevel), 'info'),
  }
  const alone = onlyOneProcess(config)
  if (config.processes > 1 && alone !== null)
    settings.complain({ variable: 'QUITTANCE_PROCESSES', expected: `1, ${alone}` })
  settings.complainOfOthers(commandVariables)
  return problems().length === 0 ? E.right(config) : E.left(problems())
}

/** Why more processes of one service would not do; null where they do. */
const onlyOneProcess = ({ usesSandbox, databaseUrl, eventStore }: Config): string | null => {
  if (usesSandbox) return 'since the sandbox keeps its mails in the memory of one process'
  if (databaseUrl !== null) return 'since QUITTANCE_DATABASE_URL is set: start several services, which share it'
  return eventStore === null ? null : 'since a log on a server shows what one process writes to others later'
}
