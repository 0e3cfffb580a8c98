import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Billing } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import type { Config, ConfigProblem, DataDir, VaultToRead } from '@quittance/host'
import type { LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandError, refused } from './command-error.ts'
import { type Failure, failureError } from './failures.ts'

type Settings = Readonly<Record<string, string | undefined>>

/** Where the events are: in a file, on a server with the read models in a file, or with all else in a database. The files need not exist. */
export type EventLog = (
  | { readonly _tag: 'file'; readonly path: string }
  | { readonly _tag: 'server'; readonly connectionString: string; readonly readModels: string }
  | { readonly _tag: 'database'; readonly connectionString: string }
) & {
  /** The file that keeps the checkpoints of the log. */
  readonly checkpoints: string
}

/** What commands work on, as the settings describe it. Errors: every problem of the configuration, in one error. */
export type Installation = {
  readonly eventLog: () => Promise<E.Either<CommandError, EventLog>>
  /** The data directory, where the settings name one. */
  readonly namedDataDir: string | null
  /** The address of a service and a key for it: QUITTANCE_API_URL and QUITTANCE_API_KEY, else those of a served sandbox. */
  readonly service: () => Promise<E.Either<CommandError, Service>>
  /** Opens the data directory, which it makes where it is missing, and closes it after the work. */
  readonly withBilling: <A>(
    work: (billing: Billing) => Promise<E.Either<CommandError | Failure, A>>,
  ) => Promise<E.Either<CommandError, A>>
  /** As `withBilling`, while no other process has the data directory open, nor can open it. */
  readonly withBillingAlone: Installation['withBilling']
  /**
   * The files of the data directory, which need not exist, and the key that their vault opens under. Errors: `data_in_database`
   * where a database holds the data.
   */
  readonly dataDir: () => Promise<E.Either<CommandError, OpenedDataDir>>
  /** Where the vault is, and the key that it opens under. */
  readonly vault: () => Promise<E.Either<CommandError, VaultPlace>>
  /** Where the vault is, for who only looks. `masterKey`: null where the settings do not say it. */
  readonly vaultToRead: () => Promise<E.Either<CommandError, VaultToRead & { readonly host: Host }>>
  /** The ledger of an environment, without a data directory. */
  readonly ledgerOf: (environment: Environment) => Promise<E.Either<CommandError, LedgerGateway>>
  /** A secret from the environment (or the file that it names) or from stdin: others may read the command line. */
  readonly secretFrom: (source: SecretSource, variable: string) => Promise<string>
}

export type OpenedDataDir = {
  readonly host: Host
  readonly path: string
  readonly files: DataDir
  readonly isLogOnServer: boolean
  readonly masterKey: Uint8Array
}

/** `databaseUrl`: null where the vault is a file of the data directory. */
export type VaultPlace = Pick<OpenedDataDir, 'host' | 'files' | 'masterKey'> & { readonly databaseUrl: string | null }

export type SecretSource = 'env' | 'stdin'
export const isSecretSource = (text: string): text is SecretSource => text === 'env' || text === 'stdin'

export type Service = { readonly baseUrl: string; readonly apiKey: string }

/** `isGated`: whether the log must not have gone back. */
export const installationOf = (settings: Settings, isGated: boolean): Installation => ({
  namedDataDir: settings.QUITTANCE_DATA_DIR || null,
  eventLog: async () => {
    const host = await hostOf(settings)
    if (E.isLeft(host)) return host
    const { config, dataFiles } = host.right
    const { events, readModels, checkpoints } = dataFiles(config.dataDir)
    if (config.databaseUrl !== null && config.eventStore === null)
      return E.right({ _tag: 'database', connectionString: config.databaseUrl, checkpoints })
    return E.right(
      config.eventStore === null
        ? { _tag: 'file', path: events, checkpoints }
        : { _tag: 'server', connectionString: config.eventStore, readModels, checkpoints },
    )
  },
  dataDir: async () => {
    const host = await hostOf(settings)
    if (E.isLeft(host)) return host
    const { config, dataFiles, presentMasterKey } = host.right
    if (config.databaseUrl !== null) return E.left(dataInDatabase)
    const files = dataFiles(config.dataDir)
    const masterKey = presentMasterKey(config, files)
    if (E.isLeft(masterKey)) return E.left(misconfigured(masterKey.left))
    const isLogOnServer = config.eventStore !== null
    return E.right({ host: host.right, path: config.dataDir, files, isLogOnServer, masterKey: masterKey.right })
  },
  vault: async () => {
    const host = await hostOf(settings)
    if (E.isLeft(host)) return host
    const { config, dataFiles, presentMasterKey } = host.right
    const files = dataFiles(config.dataDir)
    const masterKey = presentMasterKey(config, files)
    if (E.isLeft(masterKey)) return E.left(misconfigured(masterKey.left))
    const databaseUrl = config.vaultUrl ?? config.databaseUrl
    return E.right({ host: host.right, files, masterKey: masterKey.right, databaseUrl })
  },
  vaultToRead: async () => {
    const host = await hostOf(settings)
    if (E.isLeft(host)) return host
    const { config, dataFiles, presentMasterKey } = host.right
    const files = dataFiles(config.dataDir)
    const masterKey = E.toUnion(E.mapLeft(() => null)(presentMasterKey(config, files)))
    return E.right({ host: host.right, files, masterKey, databaseUrl: config.vaultUrl ?? config.databaseUrl })
  },
  ledgerOf: async (environment) => {
    const host = await hostOf(settings)
    if (E.isLeft(host)) return host
    const { config, configuredLedger, dataFiles, otherNetworks } = host.right
    // A machine where nothing was ever served has no log that could have gone back.
    if (isGated && existsSync(dataFiles(config.dataDir).vault)) {
      const sound = await withPlatform(host.right, isGated, async () => E.right(undefined))
      if (E.isLeft(sound)) return sound
    }
    const ledger = await configuredLedger(config, environment)
    if (ledger === null) return E.left(failureError({ _tag: 'NetworkNotConfigured', environment }))
    const others = await otherNetworks(config, [environment])
    return others.length > 0 ? E.left(misconfigured(others)) : E.right(ledger)
  },
  secretFrom: async (source, variable) => {
    if (source === 'stdin') return (await text(process.stdin)).trim()
    const { secretOf } = await import('@quittance/host')
    return secretOf(settings, variable).trim()
  },
  service: async () => {
    const host = await hostOf(settings)
    if (E.isLeft(host)) return host
    const { config, dataFiles, lastFacts, secretOf } = host.right
    const facts = lastFacts(dataFiles(config.dataDir).sandboxFacts)
    const baseUrl = settings.QUITTANCE_API_URL || facts?.base_url
    const apiKey = secretOf(settings, 'QUITTANCE_API_KEY') || facts?.api_key
    if (baseUrl === undefined || apiKey === undefined) return E.left(noService)
    return isBaseUrl(baseUrl) ? E.right({ baseUrl, apiKey }) : E.left(misconfigured([noBaseUrl]))
  },
  withBilling: async (work) => {
    const host = await hostOf(settings)
    return E.isLeft(host) ? host : withPlatform(host.right, isGated, work)
  },
  withBillingAlone: async (work) => {
    const host = await hostOf(settings)
    if (E.isLeft(host)) return host
    try {
      return await withPlatform(host.right, isGated, work, true)
    } catch (cause) {
      if (cause instanceof host.right.DataDirInUse) return E.left(inUse)
      throw cause
    }
  },
})

type Host = Omit<typeof import('@quittance/host'), 'configFrom'> & { readonly config: Config }

const hostOf = async (settings: Settings): Promise<E.Either<CommandError, Host>> => {
  // Loaded only here: it loads the whole service, and help and errors should appear at once.
  const host = await import('@quittance/host')
  const config = host.configFrom(settings)
  return E.isLeft(config) ? E.left(misconfigured(config.left)) : E.right({ ...host, config: config.right })
}

const withPlatform = async <A>(
  { openPlatform, config }: Host,
  isGated: boolean,
  work: (billing: Billing) => Promise<E.Either<CommandError | Failure, A>>,
  isAlone = false,
): Promise<E.Either<CommandError, A>> => {
  const platform = await openPlatform(config, isAlone)
  if (E.isLeft(platform)) return E.left(misconfigured(platform.left))
  const { billing, close } = platform.right
  try {
    if (isGated && billing.log.standing()._tag === 'RolledBack') return E.left(logRolledBack)
    const result = await work(billing)
    if (E.isRight(result)) return result
    return E.left('_tag' in result.left ? failureError(result.left) : result.left)
  } finally {
    await close()
  }
}

const dataInDatabase = refused(
  'data_in_database',
  'The data is in PostgreSQL (QUITTANCE_DATABASE_URL), not in files: see docs/postgresql-backup.md.',
)

const inUse = refused(
  'target_in_use',
  'Another process has the data directory open: end the service and its workers first. Nothing was changed.',
)

const logRolledBack = refused(
  'log_rolled_back',
  'The event log went back, and nothing is recorded or sent until a person accepts that: quittance restore accept --reason <reason>',
)

/** The form that the client takes. */
const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === ''
  )
}

const noBaseUrl: ConfigProblem = {
  variable: 'QUITTANCE_API_URL',
  expected: 'an http or https address without password, query and fragment',
}

const noService: CommandError = {
  status: 2,
  code: 'no_service',
  error:
    'No service is known: start one on this data directory (npm start), or set QUITTANCE_API_URL and QUITTANCE_API_KEY.',
}

export const misconfigured = (problems: ReadonlyArray<ConfigProblem>): CommandError => {
  const error = problems.map(({ variable, expected }) => `${variable} must be ${expected}`).join('\n')
  return problems.some(({ isPassing }) => isPassing)
    ? refused('store_unavailable', error)
    : { status: 2, code: 'invalid_configuration', error }
}
