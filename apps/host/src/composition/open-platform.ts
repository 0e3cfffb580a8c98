import 'reflect-metadata'
import { existsSync } from 'node:fs'
import {
  BILLING,
  type Billing,
  CLOCK,
  type Clock,
  createDeliverer,
  createWorker,
  type Deliverer,
  MASTER_KEY,
  masterKeyFile,
  masterKeyFromHex,
  NETWORKS,
  OMNIBUS_ACCOUNTS,
  PUBLIC_URL,
  quoter,
  RATE_MEMORY,
  SERVICES,
  type SetbackCount,
  type SetbackNews,
  type SettlementTrouble,
  sender,
  VAULT_DATABASE,
  type Violation,
  type WaitingExceptions,
  type Worker,
  waitingExceptions,
} from '@quittance/billing'
import { type Environment, unixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import {
  horizonPaths,
  LEDGER_CONFIG,
  LEDGER_GATEWAYS,
  type LedgerAlarm,
  type LedgerConfig,
  ledgerModule,
  liveRates,
  oneAtATime,
  RATE_SOURCE,
  type RateTrouble,
  rateWatch,
  sandboxRatesModule,
} from '@quittance/ledger'
import { sandboxClock } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import { Container } from 'inversify'
import { type Books, type BooksReadiness, booksOf, withBooks } from '../books-readiness.ts'
import type { Config } from '../config.ts'
import { configuredNodes, nodesAt } from '../configured-ledger.ts'
import { type DataDir, madeDataDir } from '../data-dir.ts'
import { movedNetworks } from '../moved-networks.ts'
import { networks, pricingBy } from '../networks.ts'
import { otherNetworks } from '../other-networks.ts'
import { type PayoutsReadiness, type PayoutTrouble, payoutTroubles, withPayouts } from '../payouts-readiness.ts'
import { type RatesReadiness, withRates } from '../rates-readiness.ts'
import { type Readiness, readinessOf, type WatchedLedger } from '../readiness.ts'
import { type SandboxNode, sandboxNode } from '../sandbox-node.ts'
import { type SetbacksReadiness, setbackCounts, withSetbacks } from '../setbacks-readiness.ts'
import type { ConfigProblem } from '../settings.ts'
import { type SettlementReadiness, withSettlement } from '../settlement-readiness.ts'
import { unopenable } from '../unopenable.ts'
import { type Closers, embeddedLog, logOnServer } from './event-log.ts'

/** All that an app stands on, opened from a configuration. */
export type Platform = {
  readonly billing: Billing
  readonly workers: ReadonlyArray<Worker>
  /** Sends endpoints what they are told of. */
  readonly deliverer: Deliverer
  /** Reads what an environment's ledger has closed until now. Who asks while that is done shares the next reading. */
  readonly catchUp: (environment: Environment) => Promise<void>
  readonly readiness: () => Promise<
    Readiness & {
      readonly rates: RatesReadiness
      readonly payouts: PayoutsReadiness
      readonly books: BooksReadiness
      readonly setbacks: SetbacksReadiness
      readonly settlement: SettlementReadiness
    }
  >
  /** What is unexplained, named and violated. */
  readonly books: () => Books
  /** What keeps money from going out, as the workers of this process have met it. */
  readonly payoutTroubles: () => ReadonlyArray<PayoutTrouble>
  /** How many items of merchants have failed and wait for their next attempt. */
  readonly setbacks: () => ReadonlyArray<SetbackCount & { readonly environment: Environment }>
  /** How many exceptions wait for a person. */
  readonly waitingExceptions: () => ReadonlyArray<WaitingExceptions>
  readonly clock: Clock
  /** Null when the testnet is a real network. */
  readonly sandbox: SandboxNode | null
  /** Where the sandbox's facts are written once they are true. */
  readonly sandboxFacts: string
  /** Where payers reach the service; the app that listens says so when the configuration does not. */
  readonly setPublicUrl: (url: string) => void
  readonly close: () => Promise<void>
}

/** Hears once of each trouble with rates, with what more is known of it, and once when it is over. */
type OnRates = (trouble: RateTrouble, isOver: boolean, detail: unknown) => void

/** What an operator has to hear of at once. */
export type Alarm = LedgerAlarm | SettlementTrouble | SetbackNews | ({ readonly _tag: 'InvariantViolated' } & Violation)

type Opened = E.Either<ReadonlyArray<ConfigProblem>, Platform>

/**
 * Opens the data directory and wires everything: the one place that touches the container. `alarm` is told of nodes that
 * are set aside, why a ledger cannot be followed any further, why money does not go out and what breaks an invariant, `onRates` what is
 * wrong with the sources of rates.
 * Errors: nodes of another network than the one configured, a master key that is missing, malformed or not the data's own, a
 * data directory that cannot be used or is of another network, and an event store that does not answer or is not the data's
 * own; nothing is left open then.
 */
export const openPlatform = async (
  config: Config,
  alarm: (alarm: Alarm) => void,
  onRates: OnRates = () => {},
): Promise<Opened> => {
  const closers: Closers = []
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).reverse()) await each()
  }
  try {
    const platform = await assemble(config, alarm, onRates, closers)
    if (E.isLeft(platform)) await close()
    return E.map((open: Omit<Platform, 'close'>) => ({ ...open, close }))(platform)
  } catch (cause) {
    await close()
    const problem = unopenable(cause)
    if (problem === null) throw cause
    return E.left([problem])
  }
}

const assemble = async (
  config: Config,
  alarm: (alarm: Alarm) => void,
  onRates: OnRates,
  closers: Closers,
): Promise<E.Either<ReadonlyArray<ConfigProblem>, Omit<Platform, 'close'>>> => {
  const others = await otherNetworks(config)
  if (others.length > 0) return E.left(others)
  const files = madeDataDir(config.dataDir)
  const isOnSandbox = config.networks.testnet.rpcUrls.length === 0
  const isSandboxOnly = isOnSandbox && config.networks.mainnet.rpcUrls.length === 0
  const masterKey = readMasterKey(config, files, isSandboxOnly)
  if (E.isLeft(masterKey)) return masterKey

  const open = (path: string, secureDelete: boolean): SqlDatabase => {
    const database = openDatabase(path, { durability: 'full', secureDelete })
    closers.push(database.close)
    return database
  }
  const sandboxDatabase = isOnSandbox ? open(files.sandbox, false) : null
  const node = sandboxDatabase === null ? null : await sandboxNode(sandboxDatabase, files.sandboxFacts)
  if (node !== null) closers.push(node.close, node.sandbox.stop)
  const vaultDatabase = open(files.vault, true)
  const time = sandboxDatabase === null ? { now: Date.now } : sandboxClock(sandboxDatabase, Date.now)
  const clock: Clock = { now: () => unixMs(Math.floor(time.now())) }
  let publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`

  const container = new Container({ defaultScope: 'Singleton' })
  container.load(ledgerModule, sandboxRatesModule)
  container.bind(LEDGER_CONFIG).toConstantValue(ledgerConfig(config, node, alarm))
  const finders = pathFinders(config, node)
  closers.push(...finders.closers)
  const watch = rateWatch(clock.now, onRates)
  const live = config.rates === null ? null : liveRates(config.rates, clock.now, watch.ofDocument)
  if (live !== null) closers.push(live.close)
  const pricing = pricingBy(live)
  container
    .bind(NETWORKS)
    .toResolvedValue(
      (gateways, pinned, memory) =>
        networks(
          gateways,
          pinned,
          live === null ? null : quoter(live, { majors: live.majors, memory, pricing, watch }),
          node?.sandbox ?? null,
          { finders, rates: live, pricing },
          config.networks,
        ),
      [LEDGER_GATEWAYS, RATE_SOURCE, RATE_MEMORY],
    )
  container.bind(CLOCK).toConstantValue(clock)
  container.bind(PUBLIC_URL).toConstantValue(() => publicUrl)
  container.bind(OMNIBUS_ACCOUNTS).toConstantValue(config.omnibusAccounts)
  container.bind(VAULT_DATABASE).toConstantValue(vaultDatabase)
  container.bind(MASTER_KEY).toConstantValue(masterKey.right)

  const setting = { container, files, now: clock.now, closers }
  const progress = config.eventStore === null ? embeddedLog(setting) : await logOnServer(config.eventStore, setting)
  if (E.isLeft(progress)) return progress
  const services = container.get(SERVICES)
  const moved = await movedNetworks(services)
  if (moved.length > 0) return E.left(moved)
  const violated = (violation: Violation): void => alarm({ _tag: 'InvariantViolated', ...violation })
  const workers = {
    testnet: createWorker(services, 'testnet', alarm, alarm, violated, undefined, alarm),
    mainnet: createWorker(services, 'mainnet', alarm, alarm, violated, undefined, alarm),
  }
  const posting = sender({ allowed: config.deliveryAllow })
  closers.push(posting.close)
  const books = () => booksOf(services, workers)
  const steps = { testnet: sharedStep(workers.testnet), mainnet: sharedStep(workers.mainnet) }
  const watched = (environment: Environment): WatchedLedger | null => {
    const network = services.networks[environment]
    if (network === null) return null
    const halted = () => workers[environment]?.halted() ?? null
    return { gateway: network.gateway, cursor: services.cursors.of(environment), halted }
  }
  return E.right({
    billing: container.get(BILLING),
    workers: [workers.testnet, workers.mainnet].filter((worker) => worker !== null),
    deliverer: createDeliverer(services, { sender: posting }),
    catchUp: (environment) => steps[environment](),
    readiness: withSettlement(
      withSetbacks(
        withBooks(
          withPayouts(
            withRates(
              readinessOf(progress.right, { testnet: watched('testnet'), mainnet: watched('mainnet') }, clock.now),
              watch.troubles,
              () => services.awaitingRate.of('testnet').length + services.awaitingRate.of('mainnet').length,
            ),
            () => payoutTroubles(workers),
          ),
          books,
        ),
        services.setbacks,
      ),
      services,
    ),
    books,
    payoutTroubles: () => payoutTroubles(workers),
    setbacks: () => setbackCounts(services.setbacks),
    waitingExceptions: () => [...waitingExceptions(services, 'testnet'), ...waitingExceptions(services, 'mainnet')],
    clock,
    sandbox: node,
    sandboxFacts: files.sandboxFacts,
    setPublicUrl: (url) => {
      publicUrl = config.publicUrl ?? url
    },
  })
}

const sharedStep = (worker: Worker | null): (() => Promise<void>) =>
  oneAtATime(async () => {
    await worker?.step()
  })

/** A vault that is there was written under a key: where that is gone, no other is made in its place. */
const readMasterKey = (
  { masterKey }: Config,
  { masterKey: file, vault }: DataDir,
  isSandboxOnly: boolean,
): E.Either<ReadonlyArray<ConfigProblem>, Uint8Array> => {
  if (masterKey === null && isSandboxOnly && existsSync(vault) && !existsSync(file)) {
    const lost = `the key that the data directory was written under, or ${file} must hold it`
    return E.left([{ variable: 'QUITTANCE_MASTER_KEY', expected: lost }])
  }
  const expected =
    masterKey === null && isSandboxOnly ? `64 hex digits in ${file}` : '64 hex digits: real money needs a key of yours'
  const read = masterKey !== null ? masterKeyFromHex(masterKey) : isSandboxOnly ? masterKeyFile(file) : E.left(null)
  return E.mapLeft(() => [{ variable: 'QUITTANCE_MASTER_KEY', expected }])(read)
}

/** One address serves one network: where there is real money, that one's. */
const pathFinders = (
  {
    pathsUrl,
    networks: {
      mainnet: { rpcUrls },
    },
  }: Config,
  node: SandboxNode | null,
) => {
  const at = (url: string | null) => (url === null ? null : horizonPaths(url))
  const isMainnets = rpcUrls.length > 0
  const testnet = at((isMainnets ? null : pathsUrl) ?? node?.rpcUrl ?? null)
  const mainnet = at(isMainnets ? pathsUrl : null)
  return { testnet, mainnet, closers: [testnet, mainnet].flatMap((finder) => finder?.close ?? []) }
}

const ledgerConfig = (config: Config, node: SandboxNode | null, alarm: LedgerConfig['alarm']): LedgerConfig => ({
  testnet: node === null ? configuredNodes(config, 'testnet') : nodesAt([node.rpcUrl], node.sandbox.networkPassphrase),
  mainnet: configuredNodes(config, 'mainnet'),
  alarm,
})
