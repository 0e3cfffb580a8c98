import { type AddressRanges, addressRanges, noRanges } from '@quittance/billing'
import { AccountId, ContractId, type Environment } from '@quittance/domain'
import type { RatesConfig } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { readRatesFile } from './rates-file.ts'

/** Everything that can be set from outside. */
export type Config = {
  readonly port: number
  readonly host: string
  /** Where Prometheus reads measurements, on the same host; null: a free one, for this machine alone. */
  readonly metricsPort: number | null
  readonly dataDir: string
  /** The connection string of a server; null: a SQLite file in the data directory. */
  readonly eventStore: string | null
  readonly testnetRpcUrls: ReadonlyArray<string>
  readonly mainnetRpcUrls: ReadonlyArray<string>
  /** 64 hex digits; null: generated into the data directory, which only the sandbox may do. */
  readonly masterKey: string | null
  /** Where rates come from; null: pinned in the sandbox, and nowhere else any. */
  readonly rates: RatesConfig | null
  /** A Horizon server, or one like it, that finds paths; null: the sandbox's own, and elsewhere none. */
  readonly pathsUrl: string | null
  /** The contracts that collect for subscriptions; null: the sandbox's own, and elsewhere none. */
  readonly mandateContracts: Readonly<Record<Environment, ContractId | null>>
  /** Where payers reach the service; null: the address it listens on. */
  readonly publicUrl: string | null
  readonly payerRateLimit: number
  /** Accounts of many, such as exchanges', told apart by memos: nothing is paid out to them. */
  readonly omnibusAccounts: ReadonlySet<AccountId>
  /** Addresses beside the public ones that webhooks may reach. */
  readonly deliveryAllow: AddressRanges
  readonly logLevel: LogLevel
}

const LogLevel = t.keyof({ fatal: null, error: null, warn: null, info: null, debug: null, trace: null, silent: null })
type LogLevel = t.TypeOf<typeof LogLevel>

/** What is wrong with one variable, for the person who set it. The value itself is not repeated: it may be a secret. */
export type ConfigProblem = { readonly variable: string; readonly expected: string }

type Read<A> = (text: string) => A | null

const oneOf =
  <A>(codec: t.Decoder<unknown, A>): Read<A> =>
  (text) =>
    E.getOrElse<unknown, A | null>(() => null)(codec.decode(text))
const number =
  (from: number, to: number): Read<number> =>
  (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : null
const httpUrl: Read<string> = (text) =>
  /^https?:\/\/[^/]/.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : null
const httpUrls: Read<ReadonlyArray<string>> = (text) => {
  const urls = text.split(',').map((each) => httpUrl(each.trim()))
  return urls.every((url) => url !== null) ? urls : null
}
const accounts: Read<ReadonlySet<AccountId>> = (text) => {
  const listed = text.split(',').map((each) => each.trim())
  return listed.every(AccountId.is) ? new Set(listed) : null
}
const exactly =
  (value: string): Read<string> =>
  (text) =>
    text === value ? value : null
const matching =
  (pattern: RegExp): Read<string> =>
  (text) =>
    pattern.test(text) ? text : null

const eventStores = 'sqlite or a connection string (esdb://… or esdb+discover://…)'
const eventStore = /^(sqlite$|(esdb|kurrentdb|kdb)(\+discover)?:\/\/.)/
const eventStoreNamed = (text: string): string | null => (text === 'sqlite' ? null : text)

/** Decodes the environment, and the file it names, once, reporting all problems together. Empty variables count as unset. */
export const configFrom = (
  environment: Readonly<Record<string, string | undefined>>,
): E.Either<ReadonlyArray<ConfigProblem>, Config> => {
  const problems: Array<ConfigProblem> = []
  const read = <A>(name: string, expected: string, decode: Read<A>, unset: A): A => {
    const variable = `QUITTANCE_${name}`
    const text = environment[variable]
    if (text === undefined || text === '') return unset
    const value = decode(text)
    if (value === null) problems.push({ variable, expected })
    return value ?? unset
  }
  const port = 'a port from 0 to 65535'
  const urls = 'http(s) addresses, separated by commas'
  const contract = 'a Stellar contract (C…)'
  read('READ_MODELS', 'sqlite', exactly('sqlite'), 'sqlite')
  const ratesPath = read('RATES', 'sandbox, or a file of sources', matching(/./), 'sandbox')
  const rates = ratesPath === 'sandbox' ? E.right(null) : readRatesFile(ratesPath)
  if (E.isLeft(rates)) {
    const expected = (problem: string): string =>
      `sandbox, or a file of sources, in which this is put right: ${problem}`
    problems.push(...rates.left.map((problem) => ({ variable: 'QUITTANCE_RATES', expected: expected(problem) })))
  }
  const config: Config = {
    port: read('PORT', port, number(0, 65535), 3000),
    host: read('HOST', 'an address to listen on', matching(/^[\w.:-]+$/), '127.0.0.1'),
    metricsPort: read<number | null>('METRICS_PORT', port, number(0, 65535), null),
    dataDir: read('DATA_DIR', 'a directory', matching(/./), './data'),
    eventStore: eventStoreNamed(read('EVENT_STORE', eventStores, matching(eventStore), 'sqlite')),
    testnetRpcUrls: read('TESTNET_RPC_URLS', urls, httpUrls, []),
    mainnetRpcUrls: read('MAINNET_RPC_URLS', urls, httpUrls, []),
    masterKey: read<string | null>('MASTER_KEY', '64 hex digits', matching(/^[0-9a-fA-F]{64}$/), null),
    rates: E.isRight(rates) ? rates.right : null,
    pathsUrl: read<string | null>('PATHS_URL', 'an http(s) address', httpUrl, null),
    mandateContracts: {
      testnet: read<ContractId | null>('MANDATE_CONTRACT_TESTNET', contract, oneOf(ContractId), null),
      mainnet: read<ContractId | null>('MANDATE_CONTRACT_MAINNET', contract, oneOf(ContractId), null),
    },
    publicUrl: read<string | null>('PUBLIC_URL', 'an http(s) address', httpUrl, null),
    payerRateLimit: read('PAYER_RATE_LIMIT', 'requests a minute for one address', number(1, 1_000_000), 600),
    omnibusAccounts: read('OMNIBUS_ACCOUNTS', 'Stellar accounts (G…), separated by commas', accounts, new Set()),
    deliveryAllow: read('DELIVERY_ALLOW', 'ranges of addresses, separated by commas', addressRanges, noRanges),
    logLevel: read('LOG_LEVEL', 'fatal, error, warn, info, debug, trace or silent', oneOf(LogLevel), 'info'),
  }
  return pipe(
    config,
    E.fromPredicate(
      () => problems.length === 0,
      () => problems,
    ),
  )
}
