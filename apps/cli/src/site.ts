import { text } from 'node:stream/consumers'
import type { Billing, CommandContext } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import type { Config, ConfigProblem } from '@quittance/host'
import type { LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Complaint } from './complaint.ts'
import { complaintOf } from './failures.ts'

type Settings = Readonly<Record<string, string | undefined>>

/** Where the events are: in a file, or on a server, beside which a file holds the read models. No file need be there. */
export type EventLog =
  | { readonly _tag: 'file'; readonly path: string }
  | { readonly _tag: 'server'; readonly connectionString: string; readonly readModels: string }

/** What commands work on: a data directory. Errors: every problem of the configuration, in one complaint. */
export type Site = {
  readonly eventLog: TE.TaskEither<Complaint, EventLog>
  /** The data directory, where the settings name one. */
  readonly namedDataDir: string | null
  /** Where the service answers, and a key for it: what QUITTANCE_API_URL and QUITTANCE_API_KEY say, else a served sandbox's. */
  readonly service: TE.TaskEither<Complaint, Service>
  /** Opens the directory, making it where it is missing, and closes it after the work. */
  readonly withBilling: <A>(work: (billing: Billing) => TE.TaskEither<Complaint, A>) => TE.TaskEither<Complaint, A>
  /** The ledger of an environment alone, without a data directory. */
  readonly ledgerOf: (environment: Environment) => TE.TaskEither<Complaint, LedgerGateway>
  /** A secret that stands in the environment or on stdin, never on the line, which others on the machine may read. */
  readonly secretFrom: (source: SecretSource) => Promise<string>
}

export type SecretSource = 'env' | 'stdin'

/** Where a command finds a secret in the environment. */
export const secretVariable = 'QUITTANCE_SOURCE_SECRET'

export type Service = { readonly baseUrl: string; readonly apiKey: string }

/** The data directory that the settings name. */
export const siteOf = (settings: Settings): Site => ({
  namedDataDir: settings.QUITTANCE_DATA_DIR || null,
  eventLog: TE.map(({ config, dataFiles }: Host): EventLog => {
    const { events, readModels } = dataFiles(config.dataDir)
    const { eventStore } = config
    return eventStore === null
      ? { _tag: 'file', path: events }
      : { _tag: 'server', connectionString: eventStore, readModels }
  })(hostOf(settings)),
  ledgerOf: (environment) =>
    pipe(
      hostOf(settings),
      TE.chain(({ config, configuredLedger, otherNetworks }) => async () => {
        const ledger = configuredLedger(config, environment)
        if (ledger === null) return E.left(complaintOf({ _tag: 'NetworkNotConfigured', environment }))
        const others = await otherNetworks(config, [environment])
        return others.length > 0 ? E.left(misconfigured(others)) : E.right(ledger)
      }),
    ),
  secretFrom: async (source) =>
    (source === 'env' ? (settings[secretVariable] ?? '') : await text(process.stdin)).trim(),
  service: pipe(
    hostOf(settings),
    TE.chainEitherK(({ config, dataFiles, lastFacts }) => {
      const facts = lastFacts(dataFiles(config.dataDir).sandboxFacts)
      const baseUrl = settings.QUITTANCE_API_URL || facts?.base_url
      const apiKey = settings.QUITTANCE_API_KEY || facts?.api_key
      if (baseUrl === undefined || apiKey === undefined) return E.left(noService)
      return isBaseUrl(baseUrl) ? E.right({ baseUrl, apiKey }) : E.left(misconfigured([noBaseUrl]))
    }),
  ),
  withBilling: (work) =>
    pipe(
      hostOf(settings),
      TE.chain(({ config, openPlatform }) => async () => {
        const opened = await openPlatform(config)
        if (E.isLeft(opened)) return E.left(misconfigured(opened.left))
        try {
          return await work(opened.right.billing)()
        } finally {
          await opened.right.close()
        }
      }),
    ),
})

type Host = Omit<typeof import('@quittance/host'), 'configFrom'> & { readonly config: Config }

const hostOf =
  (settings: Settings): TE.TaskEither<Complaint, Host> =>
  async () => {
    // Loaded only here: it brings the whole service along, and help or a complaint should appear at once.
    const host = await import('@quittance/host')
    const config = host.configFrom(settings)
    return E.isLeft(config) ? E.left(misconfigured(config.left)) : E.right({ ...host, config: config.right })
  }

/** As the client takes it. */
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

const noService: Complaint = {
  status: 2,
  code: 'no_service',
  error:
    'No service is known: start one on this data directory (npm start), or set QUITTANCE_API_URL and QUITTANCE_API_KEY.',
}

export const misconfigured = (problems: ReadonlyArray<ConfigProblem>): Complaint => ({
  status: 2,
  code: 'invalid_configuration',
  error: problems.map(({ variable, expected }) => `${variable} must be ${expected}`).join('\n'),
})

/** A fresh command of the person at the command line, at this moment. */
export const operatorContext = (
  { clock, freshId }: Billing,
  environment: Environment,
): Omit<CommandContext, 'merchantId'> => {
  const commandId = freshId()
  return { environment, commandId, correlationId: commandId, causationId: null, actor: 'operator', at: clock.now() }
}
